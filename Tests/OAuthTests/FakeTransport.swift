import HTTP
import Synchronization

/// A transport that answers by a script and remembers what it was asked.
final class FakeTransport: Transport {
  /// What a URL answers; of several answers each is given once, and the last one stays.
  struct Answer: Sendable {
    var status = 200
    var fields: HTTPFields = [HTTPField(known: "Content-Type", "application/json")]
    var body: [UInt8] = []
    var error: TransportError?

    static func json(_ text: String, status: Int = 200) -> Answer {
      Answer(status: status, body: Array(text.utf8))
    }

    static func other(_ status: Int, _ type: String, _ text: String = "") -> Answer {
      Answer(
        status: status, fields: [HTTPField(known: "Content-Type", type)], body: Array(text.utf8))
    }

    static func failure(_ error: TransportError) -> Answer { Answer(error: error) }
  }

  /// A request as it was sent.
  struct Sent: Sendable, Hashable {
    let method: String
    let url: String
    let fields: HTTPFields
    let body: String
    let timeout: Duration?
  }

  private struct State {
    var answers: [String: [Answer]]
    var sent: [Sent] = []

    mutating func answer(to request: HTTPRequest) -> Answer? {
      let url = request.url.description
      var text = ""
      if case .bytes(let bytes) = request.body { text = String(decoding: bytes, as: UTF8.self) }
      sent.append(
        Sent(
          method: request.method.name, url: url, fields: request.fields, body: text,
          timeout: request.timeout))
      guard var answers = answers[url], let answer = answers.first else { return nil }
      if answers.count > 1 { answers.removeFirst() }
      self.answers[url] = answers
      return answer
    }
  }

  private let state: Mutex<State>

  init(_ answers: [String: [Answer]] = [:]) { state = Mutex(State(answers: answers)) }

  /// Changes what a URL answers from now on.
  func answer(_ url: String, _ answer: Answer) { state.withLock { $0.answers[url] = [answer] } }

  /// What was sent, in order.
  var sent: [Sent] { state.withLock { $0.sent } }

  func send(
    _ request: HTTPRequest, receiving body: HTTPBodyReceiver
  ) async throws(TransportError) -> HTTPResponse {
    let answer = state.withLock { $0.answer(to: request) }
    guard let answer else {
      throw TransportError(.connection, "nothing is scripted for \(request.url)")
    }
    if let error = answer.error { throw error }
    if case .collect(let limit) = body, answer.body.count > limit {
      throw TransportError(.tooLarge, "the body is larger than \(limit) bytes")
    }
    return HTTPResponse(
      status: answer.status, fields: answer.fields, body: answer.body, url: request.url)
  }
}
