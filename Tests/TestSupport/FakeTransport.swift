package import HTTP
import Synchronization

/// A transport that answers by a script and remembers what it was asked.
package final class FakeTransport: Transport {
  /// What a URL answers; of several answers each is given once, and the last one stays.
  package struct Answer: Sendable {
    package var status = 200
    package var fields: HTTPFields = []
    package var body: [UInt8] = []
    package var error: TransportError?
    /// What happens in the world before the answer comes.
    package var effect: @Sendable () -> Void = {}

    package init(
      status: Int = 200, fields: HTTPFields = [], body: String = "", error: TransportError? = nil
    ) {
      self.status = status
      self.fields = fields
      self.body = Array(body.utf8)
      self.error = error
    }

    package static func json(_ text: String, status: Int = 200) -> Answer {
      Answer(
        status: status, fields: [HTTPField(known: "Content-Type", "application/json")], body: text)
    }

    package static func status(_ status: Int, _ body: String = "") -> Answer {
      Answer(status: status, body: body)
    }

    package static func redirect(_ status: Int, to location: String) -> Answer {
      Answer(
        status: status, fields: [HTTPField(known: "Location", location)], body: "moved")
    }

    /// A response of that media type.
    package static func other(_ status: Int, _ type: String, _ text: String = "") -> Answer {
      Answer(status: status, fields: [HTTPField(known: "Content-Type", type)], body: text)
    }

    package static func failure(_ code: TransportError.Code, _ message: String) -> Answer {
      .failure(TransportError(code, message))
    }

    package static func failure(_ error: TransportError) -> Answer { Answer(error: error) }
  }

  /// A request as it was sent.
  package struct Sent: Sendable, Hashable {
    package let method: String
    package let url: String
    package let fields: HTTPFields
    package let body: String
    package let timeout: Duration?
    package let certificate: ClientCertificate?

    /// The method and the URL.
    package var line: String { "\(method) \(url)" }
  }

  private struct State {
    var answers: [String: [Answer]]
    var sent: [Sent] = []
    var check: (@Sendable (Sent) -> Answer?)?

    mutating func next(_ request: Sent) -> Answer? {
      sent.append(request)
      if let answer = check?(request) { return answer }
      guard var answers = answers[request.url], let answer = answers.first else { return nil }
      if answers.count > 1 { answers.removeFirst() }
      self.answers[request.url] = answers
      return answer
    }
  }

  private let state: Mutex<State>

  package init(_ answers: [String: [Answer]] = [:]) { state = Mutex(State(answers: answers)) }

  /// What was sent, in order.
  package var sent: [Sent] { state.withLock { $0.sent } }

  /// Method and URL of what was sent, in order.
  package var lines: [String] { sent.map(\.line) }

  /// Changes what a URL answers from now on.
  package func answer(_ url: String, _ answers: Answer...) { self.answers(url, answers) }

  /// The same, for answers in an array.
  package func answers(_ url: String, _ answers: [Answer]) {
    state.withLock { $0.answers[url] = answers }
  }

  /// Answers by a rule before the script; `nil` leaves a request to the script.
  package func setDefaultCheck(_ check: @escaping @Sendable (Sent) -> Answer?) {
    state.withLock { $0.check = check }
  }

  /// Forgets what was sent so far.
  package func forget() { state.withLock { $0.sent = [] } }

  package func send(
    _ request: HTTPRequest, receiving body: HTTPBodyReceiver
  ) async throws(TransportError) -> HTTPResponse {
    // Others get a turn, as on a real network.
    await Task.yield()
    let sent = Sent(
      method: request.method.name, url: request.url.description, fields: request.fields,
      body: request.body.text, timeout: request.timeout,
      certificate: request.clientCertificate)
    guard let answer = state.withLock({ $0.next(sent) }) else {
      throw TransportError(.connection, "nothing is scripted for \(request.url)")
    }
    answer.effect()
    if Task.isCancelled { throw TransportError(.cancelled, "cancelled") }
    if let error = answer.error { throw error }
    var response = HTTPResponse(status: answer.status, fields: answer.fields, url: request.url)
    switch body {
    case .collect(let limit):
      if answer.body.count > limit {
        throw TransportError(.tooLarge, "the body is larger than \(limit) bytes")
      }
      response.body = answer.body
    case .sink(let sink):
      guard sink.begin(response), answer.body.withUnsafeBytes({ sink.write($0) })
      else { throw TransportError(.responseBodyRefused, "the sink refused") }
    }
    return response
  }
}

extension HTTPBody {
  /// The whole body, read as a transport reads it.
  fileprivate var text: String {
    switch self {
    case .none: return ""
    case .bytes(let bytes): return String(decoding: bytes, as: UTF8.self)
    case .stream(let source, _):
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4)
      while let count = buffer.withUnsafeMutableBytes({ source.read(into: $0) }), count > 0 {
        bytes += buffer[..<count]
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}
