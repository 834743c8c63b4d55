import JOSE
import TestSupport

@testable import OAuth

@Suite("Signed authorization request")
struct RequestObjectTests {
  private static let now: Timestamp = 1_700_000_000
  private static let secret = String(repeating: "s", count: 32)

  @Test("holds every parameter, as claims of their kind", arguments: [JWSAlgorithm.es256, .rs256])
  func claims(algorithm: JWSAlgorithm) throws {
    let key = try SigningKey.generate(algorithm)
    let client = ClientAuthentication(
      clientID: "app", method: .privateKeyJWT, secret: nil, key: key)
    let request = try AuthorizationRequest(
      scope: "openid",
      [
        "max_age": "60", "resource": "https://a.test", "resource": "https://b.test",
        "authorization_details": #"[{"type":"payment"}]"#,
      ])
    let query = try Self.object(request).query(signedBy: client)
    #expect(query.map(\.name) == ["client_id", "response_type", "scope", "request"])
    #expect(query["client_id"] == "app")
    #expect(query["response_type"] == "code")
    #expect(query["scope"] == "openid")
    let token = try JWT(try #require(query["request"]))
    try token.jws.verify(with: key.publicKey, allowed: [algorithm])
    #expect(token.jws.header["typ"] == "oauth-authz-req+jwt")
    #expect(token.jws.header["kid"]?.string == key.publicKey.kid)
    let claims = try #require(token.claims.object)
    let expected: JSONObject = [
      "iss": "app", "aud": "https://id.test", "iat": .time(Self.now), "nbf": .time(Self.now),
      "exp": .time(Self.now + 300), "client_id": "app", "response_type": "code",
      "redirect_uri": "http://127.0.0.1:61000/callback", "scope": "openid",
      "state": .string(request.state), "nonce": .string(request.nonce),
      "code_challenge": .string(request.pkce?.challenge ?? ""), "code_challenge_method": "S256",
      "max_age": .int(60), "resource": ["https://a.test", "https://b.test"],
      "authorization_details": [["type": "payment"]],
    ]
    #expect(claims.filter { $0.key != "jti" } == expected)
    let other = try JWT(try #require(try Self.object(request).query(signedBy: client)["request"]))
    #expect(claims["jti"]?.string?.count == 22)
    #expect(other.claims["jti"] != claims["jti"])
  }

  @Test("is pushed with the client authentication and nothing else")
  func pushed() throws {
    let client = ClientAuthentication(clientID: "app", method: .basic, secret: Self.secret)
    let query = try Self.object(try AuthorizationRequest(scope: "openid")).pushed(signedBy: client)
    #expect(query.map(\.name) == ["request"])
    let token = try JWT(try #require(query["request"]))
    #expect(token.claims["client_id"] == "app")
    #expect(token.claims["scope"] == "openid")
    #expect(throws: OAuthError.self) {
      try Self.object(try AuthorizationRequest(scope: "openid")).pushed(signedBy: .open)
    }
  }

  @Test("is signed with the secret of a client that has no key")
  func secret() throws {
    let client = ClientAuthentication(clientID: "app", method: .basic, secret: Self.secret)
    let query = try Self.object(try AuthorizationRequest(scope: "openid")).query(signedBy: client)
    let token = try JWT(try #require(query["request"]))
    #expect(token.jws.algorithm == .hs256)
    let again = try JWS.sign(
      header: ["typ": "oauth-authz-req+jwt"], payload: token.jws.payload,
      secret: Array(Self.secret.utf8), algorithm: .hs256)
    #expect(again == query["request"])
  }

  @Test("needs a client that can sign")
  func unable() async throws {
    let request = try AuthorizationRequest(scope: "openid")
    let weak = ClientAuthentication(clientID: "app", method: .basic, secret: "short")
    let message = "the request cannot be signed: "
    for (client, cause) in [
      (ClientAuthentication.open, "the client has neither key nor secret"), (weak, "HS256"),
    ] {
      let error = await expect(.unsupported) { try Self.object(request).query(signedBy: client) }
      #expect(error?.message.hasPrefix(message) == true)
      #expect(error?.message.contains(cause) == true)
    }
  }

  private static func object(_ request: AuthorizationRequest) throws -> RequestObject {
    RequestObject(request, to: try Issuer("https://id.test"), at: now)
  }
}
