package import HTTP
import Synchronization

/// A transport that responds by a script and remembers what it was asked.
package final class FakeTransport: Transport {
  /// What a URL returns; of several responses each is given once, and the last one stays.
  package struct Response: Sendable {
    package var status = 200
    package var fields: HTTPFields = []
    package var body: [UInt8] = []
    package var error: TransportError?
    package var metrics = TransferMetrics()
    /// What happens in the world before the response comes.
    package var effect: @Sendable () async -> Void = {}

    package init(
      status: Int = 200, fields: HTTPFields = [], body: String = "", error: TransportError? = nil
    ) {
      self.status = status
      self.fields = fields
      self.body = Array(body.utf8)
      self.error = error
    }

    package static func json(_ text: String, status: Int = 200) -> Response {
      Response(
        status: status, fields: [HTTPField(known: "Content-Type", "application/json")], body: text)
    }

    package static func status(_ status: Int, _ body: String = "") -> Response {
      Response(status: status, body: body)
    }

    package static func redirect(_ status: Int, to location: String) -> Response {
      Response(status: status, fields: [HTTPField(known: "Location", location)], body: "moved")
    }

    /// A response of that media type.
    package static func other(_ status: Int, _ type: String, _ text: String = "") -> Response {
      Response(status: status, fields: [HTTPField(known: "Content-Type", type)], body: text)
    }

    package static func failure(_ code: TransportError.Code, _ message: String) -> Response {
      .failure(TransportError(code, message))
    }

    package static func failure(_ error: TransportError) -> Response { Response(error: error) }
  }

  /// A request as it was sent.
  package struct Sent: Sendable, Hashable {
    package let method: String
    package let url: String
    package let fields: HTTPFields
    package let body: String
    package let timeout: Duration?
    package let certificate: ClientCertificate?
    package let stopsForCertificate: Bool
    package let describesCertificates: Bool
    package let omittedFields: [String]

    /// The method and the URL.
    package var line: String { "\(method) \(url)" }
  }

  private struct State {
    var responses: [String: [Response]]
    var sent: [Sent] = []
    var unpinned: Set<String> = []
    var check: (@Sendable (Sent) -> Response?)?

    mutating func next(_ request: Sent) -> Response? {
      sent.append(request)
      if let next = check?(request) { return next }
      guard var responses = responses[request.url], let next = responses.first else { return nil }
      if responses.count > 1 { responses.removeFirst() }
      self.responses[request.url] = responses
      return next
    }
  }

  private let state: Mutex<State>

  package init(_ responses: [String: [Response]] = [:]) {
    state = Mutex(State(responses: responses))
  }

  /// What was sent, in order.
  package var sent: [Sent] { state.withLock { $0.sent } }

  /// Method and URL of what was sent, in order.
  package var lines: [String] { sent.map(\.line) }

  /// Changes what a URL returns from now on.
  package func respond(_ url: String, _ responses: Response...) { respond(url, responses) }

  /// The same, for responses in an array.
  package func respond(_ url: String, _ responses: [Response]) {
    state.withLock { $0.responses[url] = responses }
  }

  /// Answers by a rule before the script; `nil` leaves a request to the script.
  package func setDefaultCheck(_ check: @escaping @Sendable (Sent) -> Response?) {
    state.withLock { $0.check = check }
  }

  /// Refuses connections to these hosts, which have no pins.
  package func unpin(_ hosts: String...) { state.withLock { $0.unpinned = Set(hosts) } }

  package func refusal(of url: HTTPURL) -> TransportError? {
    guard state.withLock({ $0.unpinned.contains(url.host) }) else { return nil }
    return TransportError(.notPinned, "no key is pinned for \(url.host)")
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
      certificate: request.clientCertificate, stopsForCertificate: request.stopsForCertificate,
      describesCertificates: request.describesCertificates,
      omittedFields: request.omittedFields)
    if let refusal = refusal(of: request.url) { throw refusal }
    guard let next = state.withLock({ $0.next(sent) }) else {
      throw TransportError(.connection, "nothing is scripted for \(request.url)")
    }
    await next.effect()
    if Task.isCancelled { throw TransportError(.cancelled, "cancelled") }
    if let error = next.error { throw error }
    var response = HTTPResponse(status: next.status, fields: next.fields, url: request.url)
    switch body {
    case .collect(let limit):
      if next.body.count > limit {
        throw TransportError(.tooLarge, "the body is larger than \(limit) bytes")
      }
      response.body = next.body
    case .sink(let sink):
      guard sink.begin(response), next.body.withUnsafeBytes({ sink.write($0) })
      else { throw TransportError(.responseBodyRefused, "the sink refused") }
    }
    response.metrics = next.metrics
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
