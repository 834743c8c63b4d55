import CoreTestSupport

@testable import SDKCore

/// What goes over the wire if a request has to be sent again for one reason and then for another: at the
/// same URL for a nonce and an identity, from the first URL with a new credential and after a wait.
///
/// That a new identity is refused too is in `IdentityObserverTests`.
@Suite("A request that is sent again for two reasons")
struct ResendTests {
  /// Why it is sent again, in the words of the server.
  enum Cause: String {
    case redirect, nonce, renewal, login, identity, later, changed

    func answer(_ number: Int) -> FakeTransport.Response {
      switch self {
      case .redirect: .redirect(307, to: "/v1/y")
      case .nonce: .challenge("use_dpop_nonce", nonce: "n\(number)")
      case .renewal: .challenge("invalid_token")
      case .login: .challenge("insufficient_user_authentication")
      case .identity: DemandWorld.asked
      case .later: .status(503, "later")
      case .changed: .status(206, "changed")
      }
    }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let causes: [Cause]
    /// Each request to the resource: path, token, nonce and whether it has a client certificate.
    let sent: [String]
    var status = 200

    init(_ first: Cause, _ second: Cause, _ sent: String, _ status: Int = 200) {
      causes = [first, second]
      self.sent = sent.split(separator: ",").map(String.init)
      self.status = status
    }

    var testDescription: String { causes.map(\.rawValue).joined(separator: ", then ") }
  }

  static let rows = [
    Row(.redirect, .redirect, "x a1,y a1,y a1"),
    Row(.redirect, .nonce, "x a1,y a1,y a1 n2"),
    Row(.redirect, .renewal, "x a1,y a1,x a2"),
    Row(.redirect, .login, "x a1,y a1,x a9"),
    Row(.redirect, .identity, "x a1,y a1,y a1 certificate"),
    Row(.redirect, .later, "x a1,y a1,x a1"),
    Row(.redirect, .changed, "x a1,y a1,x a1"),
    Row(.nonce, .redirect, "x a1,x a1 n1,y a1 n1"),
    Row(.nonce, .nonce, "x a1,x a1 n1", 401),
    Row(.nonce, .renewal, "x a1,x a1 n1,x a2 n1"),
    Row(.nonce, .login, "x a1,x a1 n1,x a9 n1"),
    Row(.nonce, .identity, "x a1,x a1 n1,x a1 n1 certificate"),
    Row(.nonce, .later, "x a1,x a1 n1,x a1 n1"),
    Row(.nonce, .changed, "x a1,x a1 n1,x a1 n1"),
    Row(.renewal, .redirect, "x a1,x a2,y a2"),
    Row(.renewal, .nonce, "x a1,x a2,x a2 n2"),
    Row(.renewal, .renewal, "x a1,x a2", 401),
    Row(.renewal, .login, "x a1,x a2,x a9"),
    Row(.renewal, .identity, "x a1,x a2,x a2 certificate"),
    Row(.renewal, .later, "x a1,x a2,x a2"),
    Row(.renewal, .changed, "x a1,x a2,x a2"),
    Row(.login, .redirect, "x a1,x a9,y a9"),
    Row(.login, .nonce, "x a1,x a9,x a9 n2"),
    Row(.login, .renewal, "x a1,x a9,x a2"),
    Row(.login, .login, "x a1,x a9", 401),
    Row(.login, .identity, "x a1,x a9,x a9 certificate"),
    Row(.login, .later, "x a1,x a9,x a9"),
    Row(.login, .changed, "x a1,x a9,x a9"),
    Row(.identity, .redirect, "x a1,x a1 certificate,y a1 certificate"),
    Row(.identity, .nonce, "x a1,x a1 certificate,x a1 n2 certificate"),
    Row(.identity, .renewal, "x a1,x a1 certificate,x a2 certificate"),
    Row(.identity, .login, "x a1,x a1 certificate,x a9 certificate"),
    Row(.identity, .later, "x a1,x a1 certificate,x a1 certificate"),
    Row(.identity, .changed, "x a1,x a1 certificate,x a1 certificate"),
    Row(.later, .redirect, "x a1,x a1,y a1"),
    Row(.later, .nonce, "x a1,x a1,x a1 n2"),
    Row(.later, .renewal, "x a1,x a1,x a2"),
    Row(.later, .login, "x a1,x a1,x a9"),
    Row(.later, .identity, "x a1,x a1,x a1 certificate"),
    Row(.later, .later, "x a1,x a1", 503),
    Row(.later, .changed, "x a1,x a1,x a1"),
    Row(.changed, .redirect, "x a1,x a1,y a1"),
    Row(.changed, .nonce, "x a1,x a1,x a1 n2"),
    Row(.changed, .renewal, "x a1,x a1,x a2"),
    Row(.changed, .login, "x a1,x a1,x a9"),
    Row(.changed, .identity, "x a1,x a1,x a1 certificate"),
    Row(.changed, .later, "x a1,x a1,x a1"),
  ]

  @Test("has a budget for each of them", arguments: rows)
  func pair(row: Row) async throws {
    let world = try await World.registered()
    let session = try world.session(enrolment: FakeEnrolment())
    _ = try await session.server.dpop.proof(at: try await session.server.metadata())
    try await store("a1", in: world)
    world.transport.respond(
      "https://id.test/token", .json(#"{"access_token":"a2","token_type":"DPoP","expires_in":60}"#))
    let left = Mutex(row.causes.enumerated().map { $1.answer($0 + 1) } + [.status(200, "done")])
    world.transport.setDefaultCheck { sent in
      guard sent.url.hasPrefix("https://api.test/") else { return nil }
      return left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
    }
    let sink = ContinuingSink()
    let body = HTTPBody.stream(FakeSource("data", isRepeatable: true), length: 4)
    let response = try await session.resources.send(
      ResourceRequest("PUT", "/x", body: body), as: .user, receiving: .sink(sink),
      loggingIn: { (_) throws(SDKError) in
        do { try await store("a9", in: world) } catch { throw SDKError(.store, "\(error)") }
      }, retrying: RetryPolicy(count: 1))
    let sent = world.transport.sent.filter { $0.url.hasPrefix("https://api.test/") }
    #expect(try sent.map(summary) == row.sent)
    // A real transport reads nothing of the body before a handshake that asks for an identity.
    if !row.causes.contains(.identity) { #expect(sent.allSatisfy { $0.body == "data" }) }
    #expect(response.status == row.status)
    #expect(sink.statuses == [row.status])
    #expect(sink.body == (row.status == 200 ? "done" : row.status == 401 ? "refused" : "later"))
  }

  private func summary(_ sent: FakeTransport.Sent) throws -> String {
    let nonce = try JWT(try #require(sent.fields["DPoP"])).claims["nonce"]?.string
    let token = (sent.fields["Authorization"] ?? "").split(separator: " ").last ?? "-"
    return "\(sent.url.last ?? "-") \(token)"
      + (nonce.map { " \($0)" } ?? "") + (sent.certificate == nil ? "" : " certificate")
  }

  private func store(_ token: String, in world: World) async throws {
    let idToken = try SigningKey.generate(.es256).sign(
      header: [:], payload: Array(#"{"sub":"alice"}"#.utf8))
    try await world.credentials(.user).save(
      TokenSet(
        accessToken: token, tokenType: "DPoP", expires: World.now + 3600, scope: "a",
        refreshToken: "r", obtained: World.now
      ).with(idToken: idToken))
  }
}

@Suite("A body that breaks off")
struct BrokenBodyTests {
  /// Breaks off the first response after four bytes.
  private final class Breaking: Transport {
    private let count = Atomic(0)
    var sent: Int { count.load(ordering: .relaxed) }

    func send(
      _ request: HTTPRequest, receiving body: HTTPBodyReceiver
    ) async throws(TransportError) -> HTTPResponse {
      let number = count.add(1, ordering: .relaxed).newValue
      let response = HTTPResponse(status: 200, url: request.url)
      guard case .sink(let sink) = body, sink.begin(response),
        Array("part".utf8).withUnsafeBytes({ sink.write($0) })
      else { throw TransportError(.responseBodyRefused, "refused") }
      if number == 1 { throw TransportError(.connection, "broken") }
      return response
    }
  }

  /// A pipe cannot begin again, a file can.
  private final class Destination: HTTPBodySink {
    private let isFile: Bool
    private let text = Mutex("")
    var body: String { text.withLock { $0 } }

    init(isFile: Bool) { self.isFile = isFile }

    func begin(_ response: HTTPResponse) -> Bool { true }

    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
      let piece = String(decoding: bytes, as: UTF8.self)
      text.withLock { $0 += piece }
      return true
    }

    func restart() -> Bool {
      if isFile { text.withLock { $0 = "" } }
      return isFile
    }
  }

  @Test(
    "is sent again into a file, and not into a pipe that has got bytes", arguments: [true, false])
  func broken(isFile: Bool) async throws {
    let (transport, sink) = (Breaking(), Destination(isFile: isFile))
    let session = try World().session(transport: transport)
    var error: SDKError?
    do {
      _ = try await session.resources.send(
        ResourceRequest("GET", "/x"), as: .unauthenticated, receiving: .sink(sink),
        retrying: RetryPolicy(count: 3))
    } catch let thrown { error = thrown }
    #expect(error?.code == (isFile ? nil : .network))
    #expect(transport.sent == (isFile ? 2 : 1))
    #expect(sink.body == "part")
  }
}

extension FakeTransport.Response {
  fileprivate static func challenge(_ error: String, nonce: String? = nil) -> Self {
    var response = Self.status(401, "refused")
    response.fields.append(HTTPField(known: "WWW-Authenticate", "DPoP error=\"\(error)\""))
    if let nonce { response.fields.append(HTTPField(known: "DPoP-Nonce", nonce)) }
    return response
  }
}

/// Takes no part (206), but the whole in its place.
private final class ContinuingSink: HTTPBodySink {
  private let whole = FakeSink()
  private let hasRefused = Mutex(false)

  var statuses: [Int] { whole.statuses }
  var body: String { whole.body }
  var wantsRestart: Bool { hasRefused.withLock { $0 } }

  func begin(_ response: HTTPResponse) -> Bool {
    guard response.status == 206 else { return whole.begin(response) }
    hasRefused.withLock { $0 = true }
    return false
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Bool { whole.write(bytes) }

  func restart() -> Bool {
    hasRefused.withLock { $0 = false }
    return true
  }
}
