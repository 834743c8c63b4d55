import HTTP
import Synchronization

/// Holds back the response of a transient failure, because the request will be sent again.
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

  /// The response that was not delivered, and the wait before the next attempt.
  var held: (response: HTTPResponse, wait: Duration)? { state.withLock { $0.held } }

  /// Whether the sink can take another response: it has received nothing, or can start again.
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
      return state.dropped <= ResponseFilter.dropLimit
    }
    return isWanted ?? sink.write(bytes)
  }
}
