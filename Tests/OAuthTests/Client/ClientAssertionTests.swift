import JOSE
import TestSupport

@testable import OAuth

@Suite("Client assertions")
struct ClientAssertionTests {
  private static let secret = String(repeating: "s", count: 32)
  private static let key = Result { try SigningKey.generate(.es256) }

  @Test("are verified by the secret or by the registered key, and by nothing else")
  func signatures() throws {
    let key = try Self.key.get()
    let withSecret = try Self.assertion(Self.client(.secretJWT, key: key))
    let shared = try JWK(
      json: ["kty": "oct", "k": .string(Base64URL.encode(Array(Self.secret.utf8)))])
    try withSecret.jws.verify(with: shared, allowed: [.hs256])
    let withKey = try Self.assertion(Self.client(.privateKeyJWT, key: key))
    try withKey.jws.verify(with: key.publicKey, allowed: [.es256])
    #expect(withKey.jws.keyID == key.publicKey.thumbprint)
    #expect(withSecret.jws.keyID == nil)
    let other = try SigningKey.generate(.es256)
    #expect(throws: JOSEError.self) {
      try withKey.jws.verify(with: other.publicKey, allowed: [.es256])
    }
  }

  @Test(
    "name the client twice, the issuer once, and live for a minute",
    arguments: [ClientAuthentication.Method.secretJWT, .privateKeyJWT])
  func claims(method: ClientAuthentication.Method) throws {
    let client = try Self.client(method).at(try metadata())
    let first = try Self.assertion(client, at: "https://id.test/revoke")
    #expect(first.issuer == "app 1")
    #expect(first.subject == "app 1")
    #expect(first.claims["aud"] == "https://id.test")
    #expect(first.body.issuedAt == 1000)
    #expect(first.expiration == 1060)
    #expect(first.claims.object?.count == 6)
    let second = try Self.assertion(client, at: "https://id.test/revoke")
    let identifiers = Set([first, second].compactMap { $0.string("jti") })
    #expect(identifiers.count == 2)
    #expect(identifiers.allSatisfy { $0.utf8.count == 22 })
  }

  @Test("are for the endpoint of the request when the server is not known")
  func audience() throws {
    let client = try Self.client(.secretJWT)
    let assertion = try Self.assertion(client, at: "https://id.test/revoke")
    #expect(assertion.claims["aud"] == "https://id.test/revoke")
  }

  @Test(
    "name the called endpoint in a second try, only if the client was refused",
    arguments: [
      (401, "{}", ClientAuthentication.Method.privateKeyJWT, 2), (401, "", .secretJWT, 2),
      (403, "", .secretJWT, 2),
      (400, #"{"error":"invalid_client"}"#, .secretJWT, 2),
      (400, #"{"error":"invalid_request"}"#, .secretJWT, 1), (500, "{}", .secretJWT, 1),
      (401, #"{"error":"use_dpop_nonce"}"#, .secretJWT, 1), (401, "{}", .post, 1),
    ])
  func secondTry(
    status: Int, body: String, method: ClientAuthentication.Method, tries: Int
  ) async throws {
    let url = "https://id.test/revoke"
    let refusal = FakeTransport.Response.json(body, status: status)
    let transport = FakeTransport([url: [refusal, .json(#"{"a":1}"#)]])
    let client = try Self.client(method).at(try metadata())
    let serverClient = ServerClient(transport: transport)
    if tries == 2 {
      #expect(try await serverClient.object([:], to: try HTTPURL(url), as: client) == ["a": 1])
      let audiences = try transport.sent.map { try Self.assertion(inForm: $0.body).claims["aud"] }
      #expect(audiences == ["https://id.test", "https://id.test/revoke"])
    } else {
      await #expect(throws: OAuthError.self) {
        try await serverClient.success([:], to: try HTTPURL(url), as: client)
      }
    }
    #expect(transport.sent.count == tries)
  }

  @Test("fail after tries with issuer, called endpoint and token endpoint as audience")
  func lastTry() async throws {
    for (url, tries) in [("https://id.test/token", 2), ("https://id.test/revoke", 3)] {
      let transport = FakeTransport([url: [.json("{}", status: 401)]])
      let client = try Self.client(.secretJWT).at(try metadata())
      await expect(.refused, "id.test returned 401") {
        try await ServerClient(transport: transport).success([:], to: try HTTPURL(url), as: client)
      }
      #expect(transport.sent.count == tries)
    }
  }

  @Test("are sent with the client id, and without the secret")
  func form() throws {
    let request = try Self.client(.secretJWT).authenticate(
      try HTTPURL("https://id.test/token"), ["a": "b"])
    let body = try Self.text(request)
    let head =
      "a=b&client_id=app%201&client_assertion_type=urn%3Aietf%3Aparams%3Aoauth%3A"
      + "client-assertion-type%3Ajwt-bearer&client_assertion="
    #expect(body.hasPrefix(head))
    #expect(!body.dropFirst(head.count).contains("&"))
    #expect(!body.contains(Self.secret))
    #expect(request.fields["Authorization"] == nil)
  }

  @Test("are refused before anything is sent when the secret is too short to sign with")
  func shortSecret() async throws {
    let client = ClientAuthentication(clientID: "app", method: .secretJWT, secret: "short")
    let transport = FakeTransport()
    let endpoint = try TokenEndpoint(transport, as: client)
    await expect(
      .unsupported,
      "the client cannot prove itself: "
        + "the secret is shorter than the 32 bytes that HS256 requires"
    ) { _ = try await endpoint.refresh("r") }
    #expect(transport.sent.isEmpty)
  }

  @Test("need their credential")
  func credential() throws {
    let key = try Self.key.get()
    for (method, secret, given, used)
      in [
        (.secretJWT, nil, key, .none), (.secretJWT, "s", nil, .secretJWT),
        (.privateKeyJWT, "s", nil, .none), (.privateKeyJWT, nil, key, .privateKeyJWT),
      ] as [(ClientAuthentication.Method, String?, SigningKey?, ClientAuthentication.Method)]
    {
      let client = ClientAuthentication(clientID: "app", method: method, secret: secret, key: given)
      #expect(client.method == used)
      #expect(client.isConfidential == (used != .none))
    }
  }

  @Test(
    "are signed with ES256 unless the server announces only other algorithms",
    arguments: [
      (nil, .es256), (["RS256", "ES256"], .es256), (["HS256", "RS256"], .rs256),
      (["EdDSA"], .edDSA), (["HS256"], nil), ([], nil),
    ] as [(JSON?, JWSAlgorithm?)])
  func algorithm(offered: JSON?, expected: JWSAlgorithm?) async throws {
    let server = try metadata(["token_endpoint_auth_signing_alg_values_supported": offered])
    guard let expected else {
      await expect(
        .unsupported, "https://id.test supports no signature algorithm of this program"
      ) { _ = try ClientAuthentication.keyAlgorithm(for: server) }
      return
    }
    #expect(try ClientAuthentication.keyAlgorithm(for: server) == expected)
  }

  private static func client(
    _ method: ClientAuthentication.Method, key: SigningKey? = nil
  ) throws -> ClientAuthentication {
    var client = ClientAuthentication(
      clientID: "app 1", method: method, secret: secret, key: try key ?? Self.key.get())
    client.now = { 1000 }
    return client
  }

  private static func assertion(
    _ client: ClientAuthentication, at url: String = "https://id.test/token"
  ) throws -> JWT {
    try assertion(inForm: try text(try client.authenticate(try HTTPURL(url), [:])))
  }

  private static func assertion(inForm body: String) throws -> JWT {
    let pair = try #require(body.split(separator: "&").last)
    return try JWT(String(pair.dropFirst("client_assertion=".count)))
  }

  private static func text(_ request: HTTPRequest) throws -> String {
    guard case .bytes(let bytes) = request.body else {
      Issue.record("the body is not bytes")
      return ""
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
