import CoreTestSupport

@testable import SDKCore

@Suite("The outcome of an authorization")
struct AuthorizationOutcomeTests {
  @Test(
    "is one of three results, or an error if it did not end",
    arguments: [
      (SDKError.Code.refused, "not authorized"), (.untrusted, "not authorized"),
      (.denied, "cancelled"), (.cancelled, "cancelled"), (.network, nil), (.tls, nil), (.pin, nil),
      (.busy, nil), (.malformedResponse, nil), (.notRegistered, nil),
    ] as [(SDKError.Code, String?)])
  func errors(code: SDKError.Code, expected: String?) {
    let error = SDKError(code, "m")
    let outcome: AuthorizationOutcome? =
      switch expected {
      case "not authorized": .notAuthorized(error)
      case "cancelled": .cancelled(error)
      default: nil
      }
    #expect(AuthorizationOutcome(error) == outcome)
  }

  @Test("is one of three to a program that calls the library")
  func three() async throws {
    let world = try await World.registered(redirectURI: nil)
    world.grant("a1")
    let session = try world.session()
    func outcome(of answer: String) async throws -> AuthorizationOutcome {
      try await UserClient(session).authorize { _, challenge in
        let asked = FormParameters(encoded: challenge.url.query ?? "") ?? [:]
        let (place, state) = (asked["redirect_uri"] ?? "", asked["state"] ?? "")
        challenge.respond(with: "\(place)?\(answer)&state=\(state)")
      }
    }
    guard case .notAuthorized(let refusal) = try await outcome(of: "error=unauthorized_client")
    else { throw Unmet("a refusal is another outcome") }
    #expect(refusal.serverError == "unauthorized_client")
    guard case .cancelled(let denial) = try await outcome(of: "error=access_denied") else {
      throw Unmet("a denial is another outcome")
    }
    #expect(denial.code == .denied)
    #expect(try await world.stored() == nil)
    let authorized = try await outcome(of: "code=c")
    #expect(authorized == .authorized(try #require(try await world.stored())))
    #expect(try await world.stored()?.accessToken == "a1")
    guard
      case .cancelled(let end) = try await UserClient(session).authorize(present: { $1.cancel() })
    else { throw Unmet("a cancelled challenge is another outcome") }
    #expect(end.resource.number == 9006)
  }

  @Test("is the error that left it open if it did not end")
  func authorize() async throws {
    let world = try World()
    let session = try world.session()
    await expect(
      .notRegistered, "could not use 'work': this installation is not registered"
    ) { _ = try await UserClient(session).authorize { _, _ in } }
    try await world.register()
    var limits = SessionLimits()
    limits.login = .milliseconds(50)
    let short = try world.session(limits: limits)
    // Nobody is at the browser: that is neither a refusal nor a person's word.
    await expect(.network, "could not log in: no response came from the browser in time") {
      _ = try await UserClient(short).authorize(scope: "a") { _, challenge in
        #expect(challenge.url.query?.contains("scope=a") == true)
      }
    }
  }
}
