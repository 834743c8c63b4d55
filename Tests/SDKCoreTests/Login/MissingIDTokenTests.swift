import CoreTestSupport

@testable import SDKCore

@Suite("The ID token of a login")
struct MissingIDTokenTests {
  @Test("is required if openid was requested")
  func missing() async throws {
    let world = try await Self.world()
    let chosen = LoginOptions(scope: "openid")
    let person = Person(["x?code=c&state=STATE"])
    await expect(
      .malformedResponse,
      "could not log in: the token response has no ID token, although openid was requested"
    ) { _ = try await world.session().login.logIn(by: person.way, chosen) }
    #expect(try await world.stored() == nil)
  }

  @Test(
    "that was not requested is ignored",
    arguments: ["nonsense", "a.b.c", "eyJhbGciOiJub25lIn0.e30."])
  func unrequested(token: String) async throws {
    let world = try await Self.world(token)
    let person = Person(["x?code=c&state=STATE"])
    let result = try await world.session().login.logIn(by: person.way, Self.options)
    #expect(result.subject == nil)
    #expect(try await world.stored()?.idToken == nil)
    #expect(try await world.stored()?.accessToken == "a1")
    // Nor are there keys to verify it.
    #expect(!world.transport.lines.contains("GET https://id.test/jwks"))
  }

  @Test("that was not requested is refused if it has the nonce of another login")
  func wrongNonce() async throws {
    let world = try await Self.world(try IDTokenIssuer().token(["nonce": "other"]))
    let person = Person(["x?code=c&state=STATE"])
    await expect(
      .untrusted,
      "could not log in: the ID token must not be trusted: its nonce does not match this login"
    ) {
      _ = try await world.session().login.logIn(by: person.way, Self.options)
    }
    #expect(try await world.stored() == nil)
  }

  private static var options: LoginOptions {
    let options = LoginOptions(scope: "a")
    return options
  }

  private static func world(_ idToken: String? = nil) async throws -> World {
    let world = try await World.registered()
    let member = idToken.map { #","id_token":"\#($0)""# } ?? ""
    world.transport.respond(
      "https://id.test/token", .json(#"{"access_token":"a1","token_type":"bearer"\#(member)}"#))
    return world
  }
}
