import CoreTestSupport

@testable import SDKCore

@Suite("An observer of requests")
struct RequestObserverTests {
  private static let url = "https://api.test/v1/x"

  /// Sends a request that the observer sees, with these responses.
  private static func fetch(
    observedBy observer: Recorder, _ responses: FakeTransport.Response...
  ) async throws -> (World, FakeSink) {
    let world = try World()
    world.transport.respond(url, responses)
    let session = try world.session()
    // Once, however often it is registered.
    for _ in 1...2 { session.resources.register(observer) }
    let sink = FakeSink()
    _ = try await DeviceClient(session)
      .sendUnauthenticated(ResourceRequest("GET", "/x"), receiving: .sink(sink))
    return (world, sink)
  }

  @Test("adds header fields and sees the response and the end")
  func addsFields() async throws {
    let observer = Recorder(field: ("X-Trace", "7"))
    let (world, sink) = try await Self.fetch(observedBy: observer, .status(200, "ok"))
    #expect(world.transport.sent.map { $0.fields["X-Trace"] } == ["7"])
    #expect(observer.events == ["send \(Self.url)", "status 200", "complete 200"])
    #expect(sink.body == "ok")
  }

  @Test("is called no longer once it is removed")
  func isRemoved() async throws {
    let world = try World()
    world.transport.respond(Self.url, .status(200))
    let session = try world.session()
    let observer = Recorder(field: ("X-Trace", "7"))
    session.resources.register(observer)
    session.resources.unregister(observer)
    _ = try await DeviceClient(session).sendUnauthenticated(ResourceRequest("GET", "/x"))
    #expect(observer.events == [])
    #expect(world.transport.sent.map { $0.fields["X-Trace"] } == [nil])
  }

  @Test(
    "cannot set a field that only the library sets", arguments: ["Authorization", "dpop", "Host"])
  func reserved(name: String) async throws {
    let world = try World()
    world.transport.respond(Self.url, .status(200))
    let session = try world.session()
    let observer = Recorder(field: (name, "x"))
    session.resources.register(observer)
    let error = await expect(.invalidRequest) {
      try await DeviceClient(session).sendUnauthenticated(ResourceRequest("GET", "/x"))
    }
    #expect(error?.message.contains("'\(name)' is reserved") == true)
    #expect(world.transport.sent.isEmpty)
    #expect(observer.events == ["send \(Self.url)", "failed invalid_request"])
  }

  @Test("sees each redirect, and gives no certificate to another origin")
  func redirects() async throws {
    let world = try World(["pinPolicy": "report"])
    world.transport.respond(Self.url, .redirect(302, to: "https://other.test/y"))
    world.transport.respond("https://other.test/y", .redirect(302, to: Self.url + "2"))
    world.transport.respond(Self.url + "2", .status(200))
    let session = try world.session()
    let observer = Recorder(certificate: ClientCertificate(chain: [1], privateKey: [2]))
    session.resources.register(observer)
    _ = try await DeviceClient(session).sendUnauthenticated(ResourceRequest("GET", "/x"))
    #expect(
      observer.events.filter { $0.hasPrefix("send") } == [
        "send \(Self.url)", "send https://other.test/y", "send \(Self.url)2",
      ])
    #expect(world.transport.sent.map { $0.certificate != nil } == [true, false, false])
  }

  @Test("has a request sent again after a refusal of the certificate, a bounded number of times")
  func resends() async throws {
    let world = try World()
    let refusal = TransportError(
      .clientCertificateRequired, "the server requires a client certificate",
      certificateRefusal: ClientCertificateRefusal(.requested))
    world.transport.respond(Self.url, .failure(refusal), .failure(refusal), .status(200, "ok"))
    let session = try world.session()
    let observer = Recorder(rule: ObservedRequest.CertificateRule(), decision: .resend)
    session.resources.register(observer)
    let response = try await DeviceClient(session)
      .sendUnauthenticated(ResourceRequest("GET", "/x"))
    #expect(response.status == 200)
    #expect(world.transport.sent.count == 3)
    world.transport.respond(Self.url, .failure(refusal))
    world.transport.forget()
    await expect(.identity) {
      try await DeviceClient(session).sendUnauthenticated(ResourceRequest("GET", "/x"))
    }
    #expect(world.transport.sent.count == 6)
  }

  @Test(
    "decides about a response that refuses the certificate, which the receiver then does not see",
    arguments: [
      (400, "text/html", "<title>400 No required SSL certificate was sent</title>"),
      (400, "text/html", "<title>400 The SSL certificate error</title>"),
      (495, "text/plain", ""), (496, "text/plain", ""), (403, "text/plain", "no"),
    ])
  func responses(status: Int, type: String, page: String) async throws {
    let rule = ObservedRequest.CertificateRule(refusalStatuses: [403])
    let observer = Recorder(rule: rule, decision: .resend)
    let (_, sink) = try await Self.fetch(
      observedBy: observer, .other(status, type, page), .status(200, "ok"))
    #expect(sink.statuses == [200])
    #expect(sink.body == "ok")
    #expect(observer.events.contains("challenge status(\(status))"))
  }

  @Test("that does not want it again lets the response through")
  func letsThrough() async throws {
    let page = "<title>400 No required SSL certificate was sent</title>"
    let observer = Recorder(rule: ObservedRequest.CertificateRule())
    let (_, sink) = try await Self.fetch(observedBy: observer, .other(400, "text/html", page))
    #expect(sink.statuses == [400])
    #expect(sink.body == page)
  }

  @Test("is not asked about other responses of these statuses")
  func otherResponses() async throws {
    let long = String(repeating: "x", count: 100_000)
    let observer = Recorder(rule: ObservedRequest.CertificateRule(), decision: .resend)
    let (_, sink) = try await Self.fetch(observedBy: observer, .other(400, "text/html", long))
    #expect(sink.body == long)
    #expect(!observer.events.contains { $0.hasPrefix("challenge") })
  }

  @Test("names the application to the hosts of the profile, and to no other")
  func applicationID() async throws {
    let world = try World(["applicationID": "com.example.app"])
    world.transport.respond(Self.url, .status(200))
    world.transport.respond("https://other.test/x", .status(200))
    let client = DeviceClient(try world.session())
    _ = try await client.sendUnauthenticated(ResourceRequest("GET", "/x"))
    _ = try await client.sendUnauthenticated(ResourceRequest("GET", "https://other.test/x"))
    // A request that names another one keeps that.
    let own = ResourceRequest("GET", "/x", headers: [("x-smp-appid", "other")])
    _ = try await client.sendUnauthenticated(own)
    #expect(
      world.transport.sent.map { $0.fields["X-SMP-APPID"] } == ["com.example.app", nil, "other"])
  }
}

/// An observer that notes what it is told.
private final class Recorder: RequestObserver {
  private let field: (name: String, value: String)?
  private let certificate: ClientCertificate?
  private let rule: ObservedRequest.CertificateRule?
  private let decision: ChallengeDecision
  private let noted = Mutex<[String]>([])

  init(
    field: (name: String, value: String)? = nil, certificate: ClientCertificate? = nil,
    rule: ObservedRequest.CertificateRule? = nil, decision: ChallengeDecision = .fail
  ) {
    self.field = field
    self.certificate = certificate
    self.rule = rule
    self.decision = decision
  }

  var events: [String] { noted.withLock { $0 } }

  private func note(_ event: String) { noted.withLock { $0.append(event) } }

  func willSend(_ request: inout ObservedRequest) async throws(SDKError) {
    note("send \(request.url)")
    request.certificateRule = rule
    if let certificate { request.clientCertificate = certificate }
    if let field { try request.set(field.name, field.value) }
  }

  func didReceive(
    _ challenge: ClientCertificateRefusal, to request: ObservedRequest
  ) async throws(SDKError) -> ChallengeDecision {
    note("challenge \(challenge.kind)")
    return decision
  }

  func didReceive(_ response: HTTPResponse, to request: ObservedRequest) {
    note("status \(response.status)")
  }

  func didComplete(
    _ request: ObservedRequest.ID, with result: Result<HTTPResponse, SDKError>
  ) async {
    switch result {
    case .success(let response): note("complete \(response.status)")
    case .failure(let error): note("failed \(error.code)")
    }
  }
}
