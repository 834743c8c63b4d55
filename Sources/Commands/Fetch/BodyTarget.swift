import HTTP
import POSIX
import Synchronization

/// Where the body of a response goes: standard output, or a file.
///
/// A regular file is replaced only when the body has arrived whole.
final class BodyTarget: HTTPBodySink {
  private let sink: Sink
  private let includesHead: Bool
  private let state = Mutex(State())

  private enum Sink: Sendable {
    case output(Output, filtered: Bool)
    case file(StagedFile)
  }

  private struct State {
    var failure: SystemError?
    var filter = TerminalFilter()
  }

  init(_ path: String?, includesHead: Bool, _ context: Context) throws(Failure) {
    self.includesHead = includesHead
    guard let path, path != "-" else {
      sink = .output(context.output, filtered: context.isTerminal)
      return
    }
    do {
      sink = .file(try StagedFile(path, mode: 0o600))
    } catch {
      throw Failure(.failure, "output_failed", "could not write the file \(error)")
    }
  }

  /// What went wrong with writing.
  var failure: Failure? {
    state.withLock { $0.failure }.map {
      Failure(.failure, "output_failed", "could not write the output: \($0.message)")
    }
  }

  func begin(_ response: HTTPResponse) -> Bool {
    guard includesHead else { return true }
    var head = "\(response.version) \(response.status)\r\n"
    for field in response.fields { head += "\(field)\r\n" }
    return Array((head + "\r\n").utf8).withUnsafeBytes { write($0) }
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    state.withLock { state in
      do throws(SystemError) {
        switch sink {
        case .output(let output, filtered: false): try output.writeRaw(bytes)
        case .output(let output, filtered: true): output.write(state.filter.visible(bytes))
        case .file(let file): try file.write(bytes)
        }
        return true
      } catch {
        state.failure = error
        return false
      }
    }
  }

  /// Puts the file in its place, or flushes the output.
  func finish() throws(Failure) {
    guard case .file(let file) = sink else {
      if case .output(let output, filtered: true) = sink {
        output.write(state.withLock { $0.filter.rest() })
      }
      return
    }
    do {
      try file.commit()
    } catch {
      throw Failure(.failure, "output_failed", "could not write the file \(error)")
    }
  }
}
