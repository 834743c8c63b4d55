import HTTP
import POSIX
import Synchronization

/// The file for the body of one response of a batch, opened when the response arrives.
final class BatchTarget: HTTPBodySink {
  let path: String
  private let sparesErrors: Bool
  private let state = Mutex(State())

  private struct State {
    var file: StagedFile?
    var failure: Failure?
    var isSpared = false
    var body: [UInt8] = []
  }

  /// Makes a target; if `sparesErrors`, the body of an HTTP error does not go to the file.
  init(_ path: String, sparesErrors: Bool) {
    self.path = path
    self.sparesErrors = sparesErrors
  }

  /// Why the body could not be written.
  var failure: Failure? { state.withLock { $0.failure } }

  /// The first bytes of the body of an HTTP error.
  var body: [UInt8] { state.withLock { $0.body } }

  func begin(_ response: HTTPResponse) -> Bool {
    state.withLock { state in
      state.isSpared = sparesErrors && response.status >= 400
      if state.isSpared { return true }
      do throws(SystemError) {
        state.file = try StagedFile(path, .named(newMode: 0o600))
        return true
      } catch {
        state.failure = Self.failure(error)
        return false
      }
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    state.withLock { state in
      if state.isSpared { state.body += bytes.prefix(Self.limit - state.body.count) }
      guard let file = state.file else { return true }
      do throws(SystemError) {
        try file.write(bytes)
        return true
      } catch {
        state.failure = Self.failure(error)
        return false
      }
    }
  }

  /// Puts the file in its place.
  func finish() throws(Failure) {
    do throws(SystemError) {
      try state.withLock { $0.file }?.commit()
    } catch {
      throw Self.failure(error)
    }
  }

  /// Leaves an old file as it is.
  func discard() { state.withLock { $0.file }?.discard() }

  private static func failure(_ error: SystemError) -> Failure {
    Failure(.failure, "output_failed", "could not write the file \(error)")
  }

  /// How much of the body of an HTTP error is kept.
  private static let limit = 1 << 16
}
