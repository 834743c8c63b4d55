import CoreTestSupport

@testable import SDKCore

@Suite("A client that exists")
struct ExistingClientTests {
  @Test("takes a client that exists, and ends the tokens of the former one")
  func adopt() async throws {
    let world = try await World.registered()
    try await world.store("token")
    let registration = try await world.session().registration.use(
      existing:
        ExistingClient(
          clientID: "mine", secret: "s", method: .post, redirectURI: "http://127.0.0.1/cb"))
    #expect(registration.source == .given)
    #expect(
      registration.client == [
        "client_id": "mine", "client_secret": "s",
        "token_endpoint_auth_method": "client_secret_post",
        "redirect_uris": ["http://127.0.0.1/cb"],
      ])
    var kept = registration
    kept.formerSteps = []
    #expect(try await world.session().registration.current() == kept)
    #expect(try await world.stored() == nil)
    let open = try await world.session().registration.use(
      existing:
        ExistingClient(
          clientID: "open", secret: nil, method: .none, redirectURI: nil))
    let uri = try #require(open.redirectURIs.first)
    let port = try HTTPURL(uri).port
    #expect(uri == "http://127.0.0.1:\(port)/callback")
    #expect((61_000...65_535).contains(port))
    #expect(
      open.client == [
        "client_id": "open", "token_endpoint_auth_method": "none", "redirect_uris": [.string(uri)],
      ])
    // The tokens of the former client are revoked; the clients themselves were given.
    let revocation = "POST https://id.test/revoke"
    #expect(world.transport.lines == ["GET \(World.metadataURL)", revocation, revocation])
  }
}
