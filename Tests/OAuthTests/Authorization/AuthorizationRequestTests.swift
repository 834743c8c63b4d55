import TestSupport

@testable import OAuth

@Suite("Authorization request")
struct AuthorizationRequestTests {
  @Test("makes the challenge of RFC 7636 appendix B")
  func pkce() throws {
    let key = try PKCE(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    #expect(key.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }

  @Test("makes a verifier of 256 bits, another one each time")
  func verifiers() throws {
    let verifiers = try (0..<20).map { _ in try PKCE().verifier }
    #expect(Set(verifiers).count == 20)
    #expect(verifiers.allSatisfy { $0.utf8.count == 43 })
  }

  @Test(
    "sends a nonce in any case, and a scope when there is one",
    arguments: ["openid", "profile openid", "openidx profile", "", nil, "profile"] as [String?])
  func nonce(scope: String?) throws {
    let request = try request(scope: scope)
    #expect(request.nonce.utf8.count == 32)
    let query = try #require(
      FormParameters(encoded: request.endpoint.adding(request.query).query ?? ""))
    #expect(query["nonce"] == request.nonce)
    #expect(query["scope"] == (scope?.isEmpty == true ? nil : scope))
  }

  @Test("carries every parameter once, behind the query of the endpoint")
  func url() throws {
    let request = try request(scope: "openid a", parameters: ["prompt": "login", "max_age": "0"])
    let url = request.endpoint.adding(request.query)
    #expect(url.origin + url.path == "https://id.test/authorize")
    let challenge = try #require(request.pkce?.challenge)
    #expect(
      url.query
        == "tenant=1&response_type=code&client_id=app%201"
        + "&redirect_uri=http%3A%2F%2F127.0.0.1%3A61000%2Fcallback&scope=openid%20a"
        + "&state=\(request.state)&nonce=\(request.nonce)&code_challenge=\(challenge)"
        + "&code_challenge_method=S256&prompt=login&max_age=0")
  }

  @Test("is sent without PKCE to a server that does not support it")
  func noProofKey() async throws {
    let request = try AuthorizationRequest(
      endpoint: try HTTPURL("https://id.test/authorize"), clientID: "app",
      redirectURI: "http://127.0.0.1:1/cb", scope: nil, usesPKCE: false)
    #expect(request.pkce == nil)
    #expect(request.query.allSatisfy { !$0.name.hasPrefix("code_") })
    let transport = FakeTransport(["https://id.test/token": [.token]])
    _ = try await TokenEndpoint(transport).exchange(code: "c", of: request)
    #expect(
      transport.sent.map(\.body) == [
        "grant_type=authorization_code&code=c"
          + "&redirect_uri=http%3A%2F%2F127.0.0.1%3A1%2Fcb&client_id=app"
      ])
  }

  @Test("takes a new state, nonce and verifier for each login")
  func fresh() throws {
    let first = try request(scope: "openid")
    let second = try request(scope: "openid")
    #expect(first.state != second.state)
    #expect(first.nonce != second.nonce)
    #expect(first.pkce != nil)
    #expect(first.pkce?.verifier != second.pkce?.verifier)
    #expect(first.state != first.nonce)
    #expect(first.state.utf8.count == 32)
  }

  private func request(
    scope: String?, parameters: FormParameters = [:]
  ) throws -> AuthorizationRequest {
    try AuthorizationRequest(
      endpoint: try HTTPURL("https://id.test/authorize?tenant=1"), clientID: "app 1",
      redirectURI: "http://127.0.0.1:61000/callback", scope: scope, parameters: parameters)
  }
}
