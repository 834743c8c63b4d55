import HTTP
import JSON
import POSIX
import SDKCore
import Synchronization

/// One watch of etcd: a response that has one JSON object a line, until the first change.
final class EtcdWatch: HTTPBodySink {
  private struct State {
    var line: [UInt8] = []
    var hasBegun = false
    var changes: KeyChanges?
  }

  private let state = Mutex(State())

  /// What has changed; `nil` if the watch ended before, or was cancelled by the node.
  var changes: KeyChanges? { state.withLock { $0.changes } }

  private var hasBegun: Bool { state.withLock { $0.hasBegun } }

  /// Watches until the first change, the end of the request's time, or the end of the connection.
  ///
  /// The node must say within `time` that it watches.
  ///
  /// - Throws: ``SDKError/Code/cancelled``. What else is wrong, the next request tells.
  func run(
    _ request: HTTPRequest, over transport: any Transport, startingWithin time: Duration
  ) async throws(SDKError) {
    let transfer = Task { [self] () -> Result<Void, TransportError> in
      do throws(TransportError) {
        _ = try await transport.send(request, receiving: .sink(self))
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    let guardian = Task { [self] in
      try await Task.sleep(for: time)
      if !hasBegun { transfer.cancel() }
    }
    let result = await withTaskCancellationHandler {
      await transfer.value
    } onCancel: {
      transfer.cancel()
    }
    guardian.cancel()
    if case .failure(let error) = result, error.code == .cancelled, Task.isCancelled {
      throw SDKError(error)
    }
  }

  func begin(_ response: HTTPResponse) -> Bool { response.isSuccess }

  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    state.withLock { state in
      for byte in bytes {
        guard byte == UInt8(ascii: "\n") else {
          state.line.append(byte)
          continue
        }
        let line = state.line
        state.line = []
        if !Self.take(line, &state) { return false }
      }
      return state.line.count < 16 << 20
    }
  }

  /// Takes a line; `false` if nothing more is wanted.
  private static func take(_ line: [UInt8], _ state: inout State) -> Bool {
    guard let result = (try? JSON(parsing: line))?["result"] else { return line.isEmpty }
    state.hasBegun = true
    // The revision was compacted, or the node ends the watch: what has changed is read.
    if result["canceled"]?.bool == true { return false }
    guard result["events"]?.array?.isEmpty == false else { return true }
    state.changes = EtcdMessage.changes(result)
    return false
  }
}
