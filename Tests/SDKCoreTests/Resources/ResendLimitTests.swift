import CoreTestSupport

@testable import SDKCore

@Suite("A request that is not sent again")
struct ResendLimitTests {
  private static let url = "https://api.test/v1/x"

  /// Sends a request with a body, which is tried twice.
  private static func put(
    _ source: any HTTPBodySource, in world: World, as access: Access = .unauthenticated
  ) async throws -> HTTPResponse {
    try await world.session().resources.send(
      ResourceRequest("PUT", "/x", body: .stream(source, length: 4)), as: access,
      receiving: .collect(limit: 100), retrying: RetryPolicy(count: 1))
  }

  @Test("because its body cannot be read again gets what the server has returned")
  func unrepeatable() async throws {
    let world = try World()
    world.transport.respond(Self.url, .status(503), .status(200))
    let response = try await Self.put(FakeSource("data", isRepeatable: false), in: world)
    #expect(response.status == 503)
    #expect(world.transport.sent.count == 1)
  }

  @Test("because its body could be read again, and then cannot, fails")
  func brokenPromise() async throws {
    let world = try World()
    world.transport.respond(Self.url, .status(503), .status(200))
    await expect(
      .localData, "could not send the request again: its body cannot be read a second time"
    ) { _ = try await Self.put(RewindOnce(), in: world) }
    #expect(world.transport.sent.count == 1)
  }

  @Test("because its body cannot be read again does not get a new token for nothing")
  func loginPage() async throws {
    let world = try await World.registered()
    try await world.store("a1")
    let page = "https://id.test/authorize?response_type=code&client_id=web"
    world.transport.respond(Self.url, .redirect(302, to: page))
    world.grant("a2")
    await expect(.sessionExpired) {
      try await Self.put(FakeSource("data", isRepeatable: false), in: world, as: .user)
    }
    #expect(!world.transport.lines.contains("POST https://id.test/token"))
  }

  @Test("because nobody handles refused certificates fails, whatever an observer says")
  func noRule() async throws {
    let world = try World()
    let session = try world.session()
    session.resources.register(Insisting())
    world.transport.respond(Self.url, DemandWorld.asked, .status(200))
    await expect(.identity) {
      try await DeviceClient(session).sendUnauthenticated(ResourceRequest("GET", "/x"))
    }
    #expect(world.transport.sent.count == 1)
  }

  @Test("and whose response the caller refuses after its body was seen, fails")
  func refusedDelivery() async throws {
    let world = try World()
    // The page of the server that refuses a certificate would have this status.
    world.transport.respond(Self.url, .status(400, "bad"))
    let error = await #expect(throws: SDKError.self) {
      try await world.session().resources.send(
        ResourceRequest("GET", "/x"), as: .unauthenticated, receiving: .sink(Refusing()))
    }
    #expect(error?.message.hasSuffix("the response could not be delivered") == true)
  }

  /// A body that can be rewound before it is sent, and then not any more.
  private final class RewindOnce: HTTPBodySource {
    private let count = Atomic(0)

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? { 0 }

    func rewind() -> Bool { count.add(1, ordering: .relaxed).newValue == 1 }
  }

  /// Wants each request to be sent again without having said that it handles refusals.
  private final class Insisting: RequestObserver {
    func willSend(_ request: inout ObservedRequest) async throws(SDKError) {
      request.certificateRule = nil
    }

    func didReceive(
      _ challenge: ClientCertificateRefusal, to request: ObservedRequest
    ) async throws(SDKError) -> ChallengeDecision { .resend }
  }

  private final class Refusing: HTTPBodySink {
    func begin(_ response: HTTPResponse) -> Bool { false }
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool { false }
  }
}
