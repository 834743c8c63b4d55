import CoreTestSupport

@testable import SDKCore

@Suite("Identities on demand, while somebody else decides")
struct IdentityDecisionTests {
  private static let none = IdentityDecision()

  private static func request(isAtOrigin: Bool = true) throws -> ObservedRequest {
    ObservedRequest(
      id: .unique(), HTTPRequest(.get, try HTTPURL("https://api.test/v1/x")),
      isAtOrigin: isAtOrigin)
  }

  @Test("a request that was cancelled does not go on with what was decided")
  func cancelled() async throws {
    let observer = try DemandWorld(hasObtainer: false).observer
    _ = observer.decision(for: "api.test")
    let request = try Self.request()
    let steps = SteppedExecutor()
    let follower = Task(executorPreference: steps) {
      try await observer.didReceive(ClientCertificateRefusal(.requested), to: request)
    }
    steps.drain()
    observer.end("api.test", .success(Self.none))
    // Its turn comes later.
    follower.cancel()
    steps.letRun()
    await expect(.cancelled) { try await follower.value }
  }

  @Test("one that was found, or that there is none, holds for all", arguments: [true, false])
  func decided(isFound: Bool) async throws {
    let world = try DemandWorld(hasObtainer: false)
    _ = world.observer.decision(for: "api.test")
    let request = try Self.request()
    let steps = SteppedExecutor()
    let follower = Task(executorPreference: steps) {
      try await world.observer.didReceive(ClientCertificateRefusal(.requested), to: request)
    }
    steps.drain()
    let identity = isFound ? try world.identity("found") : nil
    world.observer.end("api.test", .success(IdentityDecision(identity: identity)))
    steps.letRun()
    #expect(try await follower.value == .resend)
    #expect(world.store.events == [])
  }

  @Test(
    "an error of another process that tried it meanwhile is not tried again, for the same host",
    arguments: [("api.test", true), ("b.test", false)])
  func failedElsewhere(host: String, isSame: Bool) async throws {
    let world = try World()
    let obtainer = NotingObtainer()
    let enrolment = IdentityEnrolment(
      environment: try world.session().environment, store: NotingStore(), obtainer: obtainer)
    let log = AttemptLog(world.location, world.name, in: "enrolments")
    // An older error is tried again.
    log.note(SDKError(.refused, "before"), of: "api.test", at: World.now)
    let lock = try await ProfileLock.acquire(.enrolment, of: world.name, at: world.location)
    let steps = SteppedExecutor()
    let waiting = Task(executorPreference: steps) {
      try await enrolment.identity(for: "api.test", [], refused: nil, mayObtain: true).identity
    }
    steps.drain()
    log.note(SDKError(.refused, "meanwhile"), of: host, at: World.now)
    lock.release()
    steps.letRun()
    if isSame {
      await expect(.refused, "meanwhile") { _ = try await waiting.value }
    } else {
      #expect(try await waiting.value != nil)
    }
    #expect(obtainer.count == (isSame ? 0 : 1))
  }

  @Test(
    "a response that may be a refusal lets nobody use the new one",
    arguments: [(200, false), (403, true)])
  func status(status: Int, isWaiting: Bool) throws {
    let observer = try DemandWorld().observer
    var request = try Self.request()
    request.certificateRule = ObservedRequest.CertificateRule(
      stopsIfRequested: false, refusalStatuses: [403])
    observer.change(request.id) { ($0.decision, $0.pendingHost) = (Self.none, "api.test") }
    observer.didReceive(HTTPResponse(status: status, url: request.url), to: request)
    #expect((observer.known(request.id).pendingHost != nil) == isWaiting)
  }

  @Test("another server that a request was redirected to gets none")
  func elsewhere() async throws {
    let world = try DemandWorld()
    var request = try Self.request(isAtOrigin: false)
    try await world.observer.willSend(&request)
    #expect(request.certificateRule == nil)
    let decision = try await world.observer.didReceive(
      ClientCertificateRefusal(.alert(44)), to: request)
    #expect(decision == .fail)
    #expect(world.store.events == [])
    #expect(world.obtainer.count == 0)
  }
}
