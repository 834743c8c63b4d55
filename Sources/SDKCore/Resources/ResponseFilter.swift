import HTTP
import Synchronization

/// Lets only the final response of a request through to its sink.
///
/// Of a response that is held back little is read; if more comes the transfer is ended.
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

  /// The response whose transfer was ended because nobody wanted its long body.
  var abandoned: HTTPResponse? { state.withLock { $0.isAbandoned ? $0.held : nil } }

  func begin(_ response: HTTPResponse) -> Bool {
    let isHeld = Redirects.isRedirect(response) || holdsBack(response)
    state.withLock { $0.held = isHeld ? response : nil }
    return isHeld ? true : sink.begin(response)
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let isWanted: Bool? = state.withLock { state in
      if state.held == nil { return nil }
      state.dropped += bytes.count
      state.isAbandoned = state.dropped > Self.limit
      return !state.isAbandoned
    }
    return isWanted ?? sink.write(bytes)
  }

  /// Reading a short body to its end keeps the connection for the next hop.
  private static let limit = 1 << 16
}
