import HTTP
import POSIX
import Synchronization

/// The file for the body of one response of a batch, opened when the response arrives.
final class BatchTarget: HTTPBodySink {
  let path: String
  private let sparesErrors: Bool
  private let context: Context
  private let state = Mutex(State())

  private struct State {
    var file: BodyTarget?
    var failure: Failure?
    var isSpared = false
    var body: [UInt8] = []
  }

  /// Makes a target; if `sparesErrors`, the body of an HTTP error does not go to the file.
  init(_ path: String, sparesErrors: Bool, _ context: Context) {
    self.path = path
    self.sparesErrors = sparesErrors
    self.context = context
  }

  /// Why the body could not be written.
  var failure: Failure? { state.withLock { $0.failure ?? $0.file?.failure } }

  /// The first bytes of the body of an HTTP error.
  var body: [UInt8] { state.withLock { $0.body } }

  func begin(_ response: HTTPResponse) -> Bool {
    state.withLock { state in
      state.isSpared = sparesErrors && response.status >= 400
      if state.isSpared { return true }
      do throws(Failure) {
        state.file = try BodyTarget(path, includesHead: false, context)
        return true
      } catch {
        state.failure = error
        return false
      }
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let file = state.withLock { state in
      if state.isSpared { state.body += bytes.prefix(Self.limit - state.body.count) }
      return state.file
    }
    return file?.write(bytes) ?? true
  }

  /// Puts the file in its place.
  func finish() throws(Failure) { try state.withLock { $0.file }?.finish() }

  /// Leaves an old file as it is.
  func discard() { state.withLock { $0.file }?.discard() }

  /// How much of the body of an HTTP error is kept.
  private static let limit = 1 << 16
}
