import HTTP

/// Receives a response, and holds it back until it is known what it means.
///
/// What is not delivered is read to its end, so that the connection can be used again; a body of more
/// than 64 KiB ends the transfer.
// Sendable: the transport calls it on one thread, and the engine looks at it after the transfer.
final class HeldResponse: HTTPBodySink, @unchecked Sendable {
  private enum State {
    case nothing
    /// Its meaning depends on its body.
    case waiting(HTTPResponse)
    case delivered
    /// It is followed by another request; so many bytes were dropped.
    case dropped(HTTPResponse, Meaning, count: Int)
  }

  private let sink: any HTTPBodySink
  private let arrived: (HTTPResponse) -> Void
  private let judge: (HTTPResponse, _ isEnough: Bool) -> Meaning?
  private var state = State.nothing

  init(
    _ sink: any HTTPBodySink, arrived: @escaping (HTTPResponse) -> Void,
    judge: @escaping (HTTPResponse, _ isEnough: Bool) -> Meaning?
  ) {
    self.sink = sink
    self.arrived = arrived
    self.judge = judge
  }

  var hasBegun: Bool {
    if case .delivered = state { true } else { false }
  }

  /// The response whose meaning was clear before its end.
  var decided: (response: HTTPResponse, meaning: Meaning)? {
    if case .dropped(let response, let meaning, _) = state { (response, meaning) } else { nil }
  }

  var waiting: HTTPResponse? {
    if case .waiting(let response) = state { response } else { nil }
  }

  var meaning: Meaning {
    switch state {
    case .nothing, .delivered: .deliver
    case .waiting(let response): judge(response, true) ?? .deliver
    case .dropped(_, let meaning, _): meaning
    }
  }

  func deliver() -> Bool {
    guard case .waiting(var response) = state else { return true }
    let body = response.body
    response.body = []
    state = .delivered
    return sink.begin(response) && (body.isEmpty || body.withUnsafeBytes { sink.write($0) })
  }

  func begin(_ response: HTTPResponse) -> Bool {
    arrived(response)
    switch judge(response, false) {
    case nil: state = .waiting(response)
    case .deliver?:
      state = .delivered
      return sink.begin(response)
    case let meaning?: state = .dropped(response, meaning, count: 0)
    }
    return true
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    switch state {
    case .delivered, .nothing: return sink.write(bytes)
    case .dropped(let response, let meaning, let count):
      state = .dropped(response, meaning, count: count + bytes.count)
      return count + bytes.count <= Self.limit
    case .waiting(var response):
      state = .nothing
      response.body.append(contentsOf: bytes)
      state = .waiting(response)
      guard response.body.count > Self.limit else { return true }
      let meaning = judge(response, true) ?? .deliver
      if case .deliver = meaning { return deliver() }
      state = .dropped(response, meaning, count: response.body.count)
      return false
    }
  }

  /// The most that is held, or read without being delivered, in bytes.
  static let limit = 1 << 16
}
