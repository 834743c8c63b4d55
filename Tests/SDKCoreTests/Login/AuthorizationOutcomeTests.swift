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
}
