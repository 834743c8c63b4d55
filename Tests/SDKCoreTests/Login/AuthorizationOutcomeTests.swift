import HTTP
import Testing

@testable import SDKCore

@Suite("The outcome of an authorization")
struct AuthorizationOutcomeTests {
  @Test(
    "is one of three, or none where it came to no end",
    arguments: [
      (SDKError.Code.refused, "not authorized"), (.untrusted, "not authorized"),
      (.denied, "cancelled"), (.cancelled, "cancelled"), (.network, nil), (.tls, nil), (.pin, nil),
      (.busy, nil), (.malformedAnswer, nil), (.notRegistered, nil),
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

  @Test("is told to a program that calls the library, or the error that left it open")
  func authorize() async throws {
    let world = try World()
    let session = try world.session()
    await expect(
      .notRegistered, "could not use 'work': this installation is not registered"
    ) { _ = try await session.authorize { _ in } }
    try world.register()
    var limits = SessionLimits()
    limits.login = .milliseconds(50)
    let short = try world.session(limits: limits)
    // Nobody is at the browser: that is neither a refusal nor a person's word.
    await expect(.network, "could not log in: no answer came from the browser in time") {
      _ = try await short.authorize(scope: "a") { url in
        #expect(url.query?.contains("scope=a") == true)
      }
    }
  }
}
