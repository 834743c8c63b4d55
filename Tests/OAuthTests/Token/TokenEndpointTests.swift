import TestSupport

@testable import OAuth

@Suite("Token endpoint and revocation")
struct TokenEndpointTests {
  @Test(
    "sends exactly the parameters of the grant",
    arguments: [
      ("refresh", "grant_type=refresh_token&refresh_token=r%2B1&client_id=app"),
      ("anonymous", "grant_type=client_credentials&client_id=app"),
      ("scoped", "grant_type=client_credentials&scope=a%20b&client_id=app"),
    ])
  func bodies(grant: String, body: String) async throws {
    let transport = FakeTransport(["https://id.test/token": [.token]])
    let endpoint = try TokenEndpoint(transport)
    let response =
      switch grant {
      case "refresh": try await endpoint.refresh("r+1")
      case "anonymous": try await endpoint.clientCredentials(scope: nil)
      default: try await endpoint.clientCredentials(scope: "a b")
      }
    #expect(response.accessToken == "at")
    #expect(transport.sent.map(\.body) == [body])
    #expect(transport.sent.map(\.method) == ["POST"])
    #expect(transport.sent.first?.fields["Authorization"] == nil)
  }

  @Test("exchanges a code with the verifier and the redirect URI of its request")
  func code() async throws {
    let transport = FakeTransport(["https://id.test/token": [.token]])
    let request = try AuthorizationRequest(scope: nil)
    let verifier = try #require(request.pkce?.verifier)
    _ = try await TokenEndpoint(transport, as: .basic).exchange(code: "a&b", of: request)
    let sent = try #require(transport.sent.first)
    #expect(
      sent.body == "grant_type=authorization_code&code=a%26b"
        + "&redirect_uri=http%3A%2F%2F127.0.0.1%3A61000%2Fcallback&code_verifier=\(verifier)&client_id=app"
    )
    #expect(sent.fields["Authorization"] == "Basic YXBwOnM=")
    #expect(sent.fields["Content-Type"] == "application/x-www-form-urlencoded")
  }

  @Test(
    "revokes with the hint of the token",
    arguments: [
      (TokenHint.refresh, "token=t%201&token_type_hint=refresh_token&client_id=app"),
      (.access, "token=t%201&token_type_hint=access_token&client_id=app"),
    ])
  func revokes(hint: TokenHint, body: String) async throws {
    let transport = FakeTransport(["https://id.test/revoke": [.other(200, "text/plain")]])
    let client = ServerClient(transport: transport)
    let endpoint = try HTTPURL("https://id.test/revoke")
    try await client.revoke("t 1", hint: hint, at: endpoint, as: .open)
    #expect(transport.sent.map(\.body) == [body])
    #expect(transport.sent.map(\.method) == ["POST"])
  }

  @Test("reports a failed revocation, also with a status of success", arguments: [400, 200])
  func revocationFails(status: Int) async throws {
    let answer = FakeTransport.Response.json(#"{"error":"unsupported_token_type"}"#, status: status)
    let client = ServerClient(transport: FakeTransport(["https://id.test/revoke": [answer]]))
    let endpoint = try HTTPURL("https://id.test/revoke")
    await expect(.refused, "unsupported_token_type") {
      try await client.revoke("t", hint: .access, at: endpoint, as: .open)
    }
  }

  @Test("takes an unknown token as revoked (RFC 7009 section 2.2)", arguments: [400, 200])
  func gone(status: Int) async throws {
    let answer = FakeTransport.Response.json(#"{"error":"invalid_token"}"#, status: status)
    let client = ServerClient(transport: FakeTransport(["https://id.test/revoke": [answer]]))
    let endpoint = try HTTPURL("https://id.test/revoke")
    try await client.revoke("t", hint: .refresh, at: endpoint, as: .open)
  }

  @Test(
    "sends the secret in the body where a server finds it only there, and remembers that for revocations"
  )
  func secretInBody() async throws {
    let url = "https://id.test/revoke"
    let missing = FakeTransport.Response.json(
      #"{"error":"invalid_request","error_description":"client_secret: Field required"}"#,
      status: 400)
    let transport = FakeTransport([url: [missing, .json("{}")]])
    let server = try ServerMetadata(
      [
        "issuer": "https://id.test", "revocation_endpoint": .string(url),
        "revocation_endpoint_auth_methods_supported": [
          "client_secret_basic", "client_secret_post",
        ],
      ], for: try Issuer("https://id.test"))
    var client = ClientAuthentication(clientID: "app", method: .basic, secret: "x1y2z3")
    let memory = MemoryCache<CredentialForm>()
    client.acceptedForms = memory
    for _ in 1...2 {
      try await ServerClient(transport: transport).revoke(
        "t", hint: nil, at: try HTTPURL(url), as: client.at(.revocation, of: server))
    }
    #expect(
      transport.sent.map { $0.fields["Authorization"] } == ["Basic YXBwOngxeTJ6Mw==", nil, nil])
    #expect(transport.sent.last?.body == "token=t&client_id=app&client_secret=x1y2z3")
    #expect(memory.all == ["app revocation": .body])
  }
}
