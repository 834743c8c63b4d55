import HTTP
import Synchronization

/// A transport that answers by a script and remembers what it was asked.
final class FakeTransport: Transport {
  /// What a URL answers; of several answers each is given once, and the last one stays.
  struct Answer: Sendable {
    var status = 200
    var fields: HTTPFields = []
    var body = ""
    var error: TransportError?
    /// What happens in the world before the answer comes.
    var effect: @Sendable () -> Void = {}

    static func json(_ text: String, status: Int = 200) -> Answer {
      Answer(
        status: status, fields: [HTTPField(known: "Content-Type", "application/json")], body: text)
    }

    static func status(_ status: Int, _ body: String = "") -> Answer {
      Answer(status: status, body: body)
    }

    static func redirect(_ status: Int, to location: String) -> Answer {
      Answer(
        status: status, fields: [HTTPField(known: "Location", location)], body: "moved")
    }

    static func failure(_ code: TransportError.Code, _ message: String) -> Answer {
      Answer(error: TransportError(code, message))
    }
  }

  /// A request as it was sent.
  struct Sent: Sendable, Hashable {
    let method: String
    let url: String
    let fields: HTTPFields
    let body: String
    let timeout: Duration?
    let certificate: ClientCertificate?

    /// The method and the URL.
    var line: String { "\(method) \(url)" }
  }

  private struct State {
    var answers: [String: [Answer]]
    var sent: [Sent] = []

    mutating func next(_ request: Sent) -> Answer? {
      sent.append(request)
      guard var answers = answers[request.url], let answer = answers.first else { return nil }
      if answers.count > 1 { answers.removeFirst() }
      self.answers[request.url] = answers
      return answer
    }
  }

  private let state: Mutex<State>

  init(_ answers: [String: [Answer]] = [:]) { state = Mutex(State(answers: answers)) }

  /// What was sent, in order.
  var sent: [Sent] { state.withLock { $0.sent } }

  /// Method and URL of what was sent, in order.
  var lines: [String] { sent.map(\.line) }

  /// Changes what a URL answers from now on.
  func answer(_ url: String, _ answers: Answer...) { self.answers(url, answers) }

  /// The same, for answers in an array.
  func answers(_ url: String, _ answers: [Answer]) { state.withLock { $0.answers[url] = answers } }

  /// Forgets what was sent so far.
  func forget() { state.withLock { $0.sent = [] } }

  func send(
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
    case .collect: response.body = Array(answer.body.utf8)
    case .sink(let sink):
      guard sink.begin(response), Array(answer.body.utf8).withUnsafeBytes({ sink.write($0) })
      else { throw TransportError(.output, "the sink refused") }
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

/// A body that is read piece by piece, and perhaps twice.
final class FakeSource: HTTPBodySource {
  private let bytes: [UInt8]
  private let isRepeatable: Bool
  private let position = Mutex(0)

  init(_ text: String, isRepeatable: Bool) {
    bytes = Array(text.utf8)
    self.isRepeatable = isRepeatable
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    position.withLock { position in
      let part = bytes[position...].prefix(buffer.count)
      buffer.copyBytes(from: part)
      position += part.count
      return part.count
    }
  }

  func rewind() -> Bool {
    if isRepeatable { position.withLock { $0 = 0 } }
    return isRepeatable
  }
}

/// A sink that remembers what reached it.
final class FakeSink: HTTPBodySink {
  private let state = Mutex<(statuses: [Int], body: [UInt8])>(([], []))

  /// The statuses of the responses that began.
  var statuses: [Int] { state.withLock { $0.statuses } }
  var body: String { String(decoding: state.withLock { $0.body }, as: UTF8.self) }

  func begin(_ response: HTTPResponse) -> Bool {
    state.withLock { $0.statuses.append(response.status) }
    return true
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let bytes = Array(bytes)
    state.withLock { $0.body += bytes }
    return true
  }
}
