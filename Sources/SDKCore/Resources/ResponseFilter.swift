import HTTP
import Synchronization

/// Delivers only the final response of a request to a sink.
///
/// A redirect, and a response that is followed by another attempt, is held back. Its body is read to
/// the end, so that the connection can be used again; one of more than 64 KiB ends the transfer.
final class ResponseFilter: HTTPBodySink {
  private let sink: any HTTPBodySink
  private let holdsBack: @Sendable (HTTPResponse) -> Bool
  private let state = Mutex(State())

  private struct State {
    var held: HTTPResponse?
    var dropped = 0
    var isAbandoned = false
  }

  init(
    _ sink: any HTTPBodySink, holdsBack: @escaping @Sendable (HTTPResponse) -> Bool
  ) {
    self.sink = sink
    self.holdsBack = holdsBack
  }

  /// The response that was held back and whose transfer was ended because of its long body.
  var abandoned: HTTPResponse? { state.withLock { $0.isAbandoned ? $0.held : nil } }

  func begin(_ response: HTTPResponse) -> Bool {
    let isHeld = holdsBack(response)
    state.withLock { $0.held = isHeld ? response : nil }
    return isHeld ? true : sink.begin(response)
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let isWanted: Bool? = state.withLock { state in
      if state.held == nil { return nil }
      state.dropped += bytes.count
      state.isAbandoned = state.dropped > Self.dropLimit
      return !state.isAbandoned
    }
    return isWanted ?? sink.write(bytes)
  }

  /// The largest body that is read to its end without being delivered, in bytes.
  static let dropLimit = 1 << 16
}
