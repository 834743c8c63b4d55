import HTTP
import Synchronization

/// Keeps a transient failure from the receiver, because the request will be sent again.
final class RetryFilter: HTTPBodySink {
  private let sink: any HTTPBodySink
  /// How long to wait before the request is sent again; `nil` to deliver the response.
  private let wait: @Sendable (HTTPResponse) -> Duration?
  private let state = Mutex(State())

  private struct State {
    var held: (response: HTTPResponse, wait: Duration)?
    var dropped = 0
    var hasBegun = false
  }

  init(_ sink: any HTTPBodySink, wait: @escaping @Sendable (HTTPResponse) -> Duration?) {
    self.sink = sink
    self.wait = wait
  }

  /// The response that was not delivered, and the wait before the next one.
  var held: (response: HTTPResponse, wait: Duration)? { state.withLock { $0.held } }

  /// Whether the receiver can take another response: it has got nothing, or can start again.
  func canRestart() -> Bool { !state.withLock { $0.hasBegun } || sink.restart() }

  func begin(_ response: HTTPResponse) -> Bool {
    let isHeld = state.withLock { state in
      state.held = wait(response).map { (response, $0) }
      state.hasBegun = state.held == nil
      return state.held != nil
    }
    return isHeld || sink.begin(response)
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let isWanted: Bool? = state.withLock { state in
      guard state.held != nil else { return nil }
      state.dropped += bytes.count
      // Reading a short body to its end keeps the connection.
      return state.dropped <= 1 << 16
    }
    return isWanted ?? sink.write(bytes)
  }
}
