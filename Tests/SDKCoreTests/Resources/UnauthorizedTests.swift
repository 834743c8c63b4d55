import CoreTestSupport

@testable import SDKCore

@Suite("A resource server that answers 401")
struct UnauthorizedTests {
  private static let url = "https://api.test/v1/x"

  @Test(
    "gets a renewed token once, and its second response is delivered",
    arguments: [(401, 200), (401, 401), (401, 403), (419, 200), (419, 419)])
  func retries(first: Int, second: Int) async throws {
    let world = try await Self.world()
    world.transport.respond(Self.url, .status(first, "no"), .status(second, "then"))
    let sink = FakeSink()
    let response = try await UserClient(world.session())
      .send(ResourceRequest("GET", "/x"), receiving: .sink(sink))
    #expect(response.status == second)
    #expect(sink.statuses == [second])
    #expect(sink.body == "then")
    #expect(
      world.transport.lines == [
        "GET \(Self.url)", "GET \(World.metadataURL)", "POST \(World.tokenURL)", "GET \(Self.url)",
      ])
    #expect(Self.tokens(world) == ["Bearer a1", "Bearer a2"])
    #expect(try await world.stored()?.accessToken == "a2")
  }

  @Test("gets a new token of this installation once")
  func device() async throws {
    let world = try await Self.world()
    try await world.store("d1", in: .anonymous)
    world.transport.respond(Self.url, .status(401), .status(200, "ok"))
    let response = try await DeviceClient(world.session()).send(ResourceRequest("GET", "/x"))
    #expect(response.status == 200)
    #expect(Self.tokens(world) == ["Bearer d1", "Bearer a2"])
    #expect(
      world.transport.sent.map(\.body)
        == ["", "", "grant_type=client_credentials&client_id=app", ""])
    #expect(try await world.stored(.anonymous)?.accessToken == "a2")
    #expect(try await world.stored(.user)?.accessToken == "a1")
  }

  @Test("gets the token that another process has renewed meanwhile")
  func renewedMeanwhile() async throws {
    let world = try await Self.world()
    var answer = FakeTransport.Response.status(401)
    answer.effect = { _ = try? await world.store("a9") }
    world.transport.respond(Self.url, answer, .status(200))
    _ = try await UserClient(world.session()).send(ResourceRequest("GET", "/x"))
    #expect(Self.tokens(world) == ["Bearer a1", "Bearer a9"])
    #expect(world.transport.sent.count == 2)
  }

  @Test("gets the whole body again", arguments: [true, false])
  func body(isStreamed: Bool) async throws {
    let world = try await Self.world()
    world.transport.respond(Self.url, .status(401), .status(200))
    let body: HTTPBody =
      isStreamed
      ? .stream(FakeSource("the body", isRepeatable: true), length: 8)
      : .bytes(Array("the body".utf8))
    _ = try await UserClient(world.session()).send(ResourceRequest("POST", "/x", body: body))
    let bodies = world.transport.sent.filter { $0.url == Self.url }.map(\.body)
    #expect(bodies == ["the body", "the body"])
  }

  @Test(
    "is delivered at once when the body cannot be sent again; the next request gets a new token",
    arguments: [Access.user, .anonymous])
  func notRepeatable(access: Access) async throws {
    let (world, slot) = (try await Self.world(), try #require(access.slot))
    try await world.store("a1", refreshToken: access == .user ? "refresh-1" : nil, in: slot)
    world.transport.respond(Self.url, .status(401, "no"), .status(200))
    let sink = FakeSink()
    let body = HTTPBody.stream(FakeSource("data", isRepeatable: false), length: nil)
    let response = try await world.session().resources
      .send(ResourceRequest("POST", "/x", body: body), as: access, receiving: .sink(sink))
    #expect(response.status == 401)
    #expect(sink.statuses == [401])
    #expect(sink.body == "no")
    #expect(world.transport.sent.count { $0.url == Self.url } == 1)
    #expect(try await world.stored(slot)?.accessToken == "a2")
  }

  typealias Unrenewed = (refreshToken: String?, reauthenticate: String, tokenRequests: Int)

  @Test(
    "is delivered when the body cannot be sent again, nor the token be renewed",
    arguments: [("refresh-1", "refresh", 1), (nil, "refresh", 0), ("refresh-1", "form", 0)]
      as [Unrenewed])
  func notRenewed(row: Unrenewed) async throws {
    let world = try await World.registered(["reauthenticate": .string(row.reauthenticate)])
    try await world.store("a1", refreshToken: row.refreshToken)
    world.transport.respond(Self.url, .status(401, "no"))
    world.transport.respond(World.tokenURL, .json(#"{"error":"invalid_grant"}"#, status: 400))
    let body = HTTPBody.stream(FakeSource("data", isRepeatable: false), length: nil)
    let response = try await UserClient(world.session())
      .send(ResourceRequest("POST", "/x", body: body))
    #expect(response.status == 401)
    #expect(world.transport.sent.count { $0.url == World.tokenURL } == row.tokenRequests)
  }

  @Test(
    "is delivered at once for an injected token and for no token",
    arguments: [Access.user, .unauthenticated])
  func delivered(access: Access) async throws {
    let world = try await Self.world()
    world.transport.respond(Self.url, .status(401, "no"), .status(200))
    let sink = FakeSink()
    let response = try await world.session(injectedToken: "ci")
      .resources.send(ResourceRequest("GET", "/x"), as: access, receiving: .sink(sink))
    #expect(response.status == 401)
    #expect(sink.statuses == [401])
    #expect(sink.body == "no")
    #expect(world.transport.sent.count == 1)
    #expect(Self.tokens(world) == [access == .user ? "Bearer ci" : "none"])
  }

  @Test("asks for a login when the token cannot be renewed, and delivers nothing")
  func cannotRenew() async throws {
    let world = try await Self.world()
    world.transport.respond(Self.url, .status(401, "no"))
    world.transport.respond(World.tokenURL, .json(#"{"error":"invalid_grant"}"#, status: 400))
    let sink = FakeSink()
    let error = await expect(
      .sessionExpired, "could not use the login of 'work': invalid_grant"
    ) {
      _ = try await UserClient(world.session())
        .send(ResourceRequest("GET", "/x"), receiving: .sink(sink))
    }
    #expect(error?.resource == .userNotAuthenticated)
    #expect(sink.statuses.isEmpty)
    #expect(sink.body.isEmpty)
  }

  @Test("delivers nothing of a redirect or of a refused response to the sink")
  func gate() async throws {
    let world = try await Self.world()
    world.transport.respond(
      Self.url, .redirect(302, to: "/v1/y"), .redirect(302, to: "/v1/y"))
    world.transport.respond("https://api.test/v1/y", .status(401, "no"), .status(200, "yes"))
    let sink = FakeSink()
    _ = try await UserClient(world.session())
      .send(ResourceRequest("GET", "/x"), receiving: .sink(sink))
    #expect(sink.statuses == [200])
    #expect(sink.body == "yes")
  }

  @Test(
    "says that the transfer failed with the vendors' numbers",
    arguments: [
      (TransportError.Code.nameNotResolved, SDKError.Code.network, 9000),
      (.connection, .network, 9000),
      (.timeout, .network, 9000), (.tls, .tls, 9001), (.pinMismatch, .pin, 9001),
      (.notPinned, .pin, 9001), (.pinsExpired, .pin, 9001), (.cancelled, .cancelled, 9006),
      (.clientCertificateRequired, .identity, 9001), (.refused, .policy, 10_015),
      (.responseBodyRefused, .localData, 10_000),
      (.requestBodyFailed, .localData, 10_000), (.unavailable, .unavailable, 10_000),
      (.malformed, .malformedResponse, 10_000), (.tooLarge, .malformedResponse, 10_000),
    ])
  func transportErrors(
    transport: TransportError.Code, code: SDKError.Code, number: Int
  ) async throws {
    let world = try await Self.world()
    let failure = TransportError(transport, "because", host: "api.test", details: ["a", "b"])
    world.transport.respond(Self.url + "?secret=1", FakeTransport.Response(error: failure))
    let error = await expect(code, "could not fetch \(Self.url): because") {
      _ = try await UserClient(world.session()).send(ResourceRequest("GET", "/x?secret=1"))
    }
    #expect(error?.resource.number == number)
    #expect(error?.details == ["a", "b"])
    #expect(error?.subject == "api.test")
    #expect(error?.isRetryable == (code == .network))
  }

  @Test(
    "is named in an error that does not say where it happened",
    arguments: [
      ("other.test", "refused", "other.test: refused"), ("api.test", "refused", "refused"),
      ("other.test", "no way to other.test", "no way to other.test"), (nil, "refused", "refused"),
    ] as [(String?, String, String)])
  func host(host: String?, message: String, cause: String) async throws {
    let world = try await Self.world()
    let failure = TransportError(.connection, message, host: host)
    world.transport.respond(Self.url, FakeTransport.Response(error: failure))
    await expect(.network, "could not fetch \(Self.url): \(cause)") {
      _ = try await UserClient(world.session()).send(ResourceRequest("GET", "/x"))
    }
  }

  private static func tokens(_ world: World) -> [String] {
    world.transport.sent.filter { $0.url == url }.map { $0.fields["Authorization"] ?? "none" }
  }

  private static func world() async throws -> World {
    let world = try await World.registered()
    try await world.store("a1")
    world.grant("a2", ["refresh_token": "refresh-2"])
    return world
  }
}
