import HTTP
import POSIX
import Synchronization

/// The file for the body of one response of a batch, opened when the response arrives.
final class BatchBodyFile: HTTPBodySink {
  let path: String
  private let keepsFileOnError: Bool
  private let state = Mutex(State())

  private struct State {
    var file: StagedFile?
    var failure: Failure?
    /// Whether nothing is written to the file: the response is an HTTP error, or has no body (304).
    var keepsFile = false
    var body: [UInt8] = []
  }

  /// - Parameters:
  ///   - path: the path of the file.
  ///   - keepsFileOnError: whether the body of an HTTP error does not replace the file.
  init(_ path: String, keepsFileOnError: Bool) {
    self.path = path
    self.keepsFileOnError = keepsFileOnError
  }

  /// Why the body could not be written.
  var failure: Failure? { state.withLock { $0.failure } }

  /// The first bytes of the body of an HTTP error.
  var body: [UInt8] { state.withLock { $0.body } }

  func begin(_ response: HTTPResponse) -> Bool {
    state.withLock { state in
      state.keepsFile = response.status == 304 || keepsFileOnError && response.status >= 400
      if state.keepsFile { return true }
      do throws(SystemError) {
        state.file = try StagedFile(path, .named(newMode: 0o600))
        return true
      } catch {
        state.failure = .unwritable(error)
        return false
      }
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    state.withLock { state in
      if state.keepsFile { state.body += bytes.prefix(Self.limit - state.body.count) }
      guard let file = state.file else { return true }
      do throws(SystemError) {
        try file.write(bytes)
        return true
      } catch {
        state.failure = .unwritable(error)
        return false
      }
    }
  }

  /// Replaces the old file.
  func finish() throws(Failure) {
    try Failure.writing { () throws(SystemError) in try state.withLock { $0.file }?.commit() }
  }

  /// Keeps the old file.
  func discard() { state.withLock { $0.file }?.discard() }

  /// How many bytes of the body of an HTTP error are kept for the report.
  private static let limit = 1 << 16
}
