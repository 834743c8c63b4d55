import JOSE
import TestSupport

@testable import OAuth

@Suite("Userinfo")
struct UserInfoTests {
  private static let prefix = "the userinfo response must not be trusted: "

  @Test(
    "in JSON is accepted if it is about the user",
    arguments: [
      (#"{"sub":"alice","name":"A"}"#, "alice", nil),
      (#"{"sub":"alice"}"#, nil, nil),
      (#"{"sub":"bob"}"#, "alice", "it is about another user than the ID token"),
      (#"{"sub":"Alice"}"#, "alice", "it is about another user than the ID token"),
      ("{\"sub\":\"Andre\u{301}\"}", "Andr\u{E9}", "it is about another user than the ID token"),
      (#"{"sub":"\u212A"}"#, "K", "it is about another user than the ID token"),
      (#"{"name":"A"}"#, "alice", "it names no subject"),
      (#"{"sub":""}"#, nil, "it names no subject"), (#"{"sub":7}"#, nil, "it names no subject"),
    ] as [(String, String?, String?)])
  func plain(body: String, subject: String?, cause: String?) async throws {
    let bench = Bench(.json(body))
    guard let cause else {
      #expect(try await bench.claims(subject) == JSON(parsing: body).object)
      let sent = try #require(bench.transport.sent.first)
      #expect(sent.method == "GET")
      #expect(sent.url == "https://id.test/userinfo")
      #expect(sent.fields["Authorization"] == "Bearer at")
      #expect(sent.fields["Accept"] == "application/json")
      #expect(bench.transport.sent.count == 1)
      return
    }
    await expect(.untrusted, Self.prefix + cause) { _ = try await bench.claims(subject) }
  }

  @Test(
    "that is signed is verified, with its issuer and audience",
    arguments: [
      ([:], nil), (["iss": nil, "aud": nil, "exp": nil], nil), (["aud": ["other", "app"]], nil),
      (["sub": "bob"], "it is about another user than the ID token"),
      (["iss": "https://evil.test"], "the token is issued by 'https://evil.test'"),
      (["aud": "other"], "the token is for 'other', not for 'app'"),
      (["exp": .time(TokenForge.now - 60)], "the token expired 60 seconds ago"),
      (["sub": nil], "it names no subject"),
    ] as [([String: JSON?], String?)])
  func signed(change: [String: JSON?], cause: String?) async throws {
    let token = try TokenForge(.es256).token(change)
    let bench = Bench(.other(200, "application/jwt", token), client: Self.signing)
    guard let cause else {
      #expect(try await bench.claims("alice")["sub"] == "alice")
      #expect(bench.transport.sent.first?.fields["Accept"] == "application/jwt")
      return
    }
    let error = await expect(.untrusted) { try await bench.claims("alice") }
    #expect(error?.message.hasPrefix(Self.prefix + cause) == true, "\(error?.message ?? "")")
  }

  @Test("that is signed by another key, with another algorithm or not at all is refused")
  func forged() async throws {
    let stranger = try TokenForge(.es256, stranger: true).token()
    await expect(.untrusted, "the signature of the userinfo response is wrong") {
      _ = try await Bench(.other(200, "application/jwt", stranger), client: Self.signing)
        .claims("alice")
    }
    let notAllowed = "the userinfo response is signed with an algorithm that is not allowed"
    let rsa = try TokenForge(.rs256).token()
    await expect(.untrusted, notAllowed) {
      _ = try await Bench(.other(200, "application/jwt", rsa), client: Self.signing)
        .claims("alice")
    }
    let unsigned =
      Base64URL.encode(Array(#"{"alg":"none"}"#.utf8)) + "."
      + Base64URL.encode(Array(#"{"sub":"alice"}"#.utf8)) + "."
    await expect(.untrusted, notAllowed) {
      _ = try await Bench(.other(200, "application/jwt", unsigned)).claims("alice")
    }
    await expect(
      .untrusted,
      Self.prefix + "it is not a token, though the client registered signed or encrypted userinfo"
    ) {
      _ = try await Bench(.json(#"{"sub":"alice"}"#), client: Self.signing).claims("alice")
    }
  }

  @Test("that is encrypted is decrypted, signed or not as it was registered")
  func encrypted() async throws {
    let key = try DecryptionKey.generate(.ecdhES)
    let published = try #require(key.publicKey)
    let encrypt = { (text: String) in
      try JWE.encrypt(Array(text.utf8), to: published, .ecdhES, .a128CBCHS256)
    }
    var client: JSONObject = ["userinfo_encrypted_response_alg": "ECDH-ES"]
    let plain = Bench(
      .other(200, "application/jwt", try encrypt(#"{"sub":"alice"}"#)), client: client, key: key)
    #expect(try await plain.claims("alice") == ["sub": "alice"])
    client.merge(Self.signing) { $1 }
    let nested = Bench(
      .other(200, "application/jwt", try encrypt(try TokenForge(.es256).token())), client: client,
      key: key)
    #expect(try await nested.claims("alice")["sub"] == "alice")
    let unsigned = Bench(
      .other(200, "application/jwt", try encrypt(#"{"sub":"alice"}"#)), client: client, key: key)
    await expect(.untrusted) { try await unsigned.claims("alice") }
    let inClear = Bench(
      .other(200, "application/jwt", try TokenForge(.es256).token()), client: client, key: key)
    await expect(
      .untrusted,
      Self.prefix + "it is not encrypted, though the client registered that it is"
    ) { _ = try await inClear.claims("alice") }
  }

  @Test(
    "that the server refuses is an error with what the field says about the token",
    arguments: [
      (#"Bearer error="invalid_token", error_description="expired""#, "expired"),
      ("Basic, DPoP error=insufficient_scope", "insufficient_scope"),
      (#"Bearer error="invalid_token", error_description="""#, "invalid_token"),
    ])
  func challenged(field: String, reason: String) async throws {
    var answer = FakeTransport.Response.status(401)
    answer.fields.append(try HTTPField("WWW-Authenticate", field))
    await expect(.refused, "id.test returned 401 (\(reason))") {
      _ = try await Bench(answer).claims("alice")
    }
  }

  @Test("that the server refuses is an error with the status")
  func refused() async throws {
    let error = await expect(.refused, "id.test returned 401") {
      _ = try await Bench(.other(401, "text/plain")).claims("alice")
    }
    #expect(error?.server?.status == 401)
  }

  @Test("needs a server that has it")
  func missing() async throws {
    await expect(.unsupported, "https://id.test offers no userinfo endpoint") {
      _ = try await Bench(.json("{}"), endpoint: nil).claims("alice")
    }
  }

  private static let signing: JSONObject = ["userinfo_signed_response_alg": "ES256"]
}

/// A userinfo endpoint with one answer.
private struct Bench {
  let transport: FakeTransport
  private let client: JSONObject
  private let key: DecryptionKey?
  private let endpoint: String?

  init(
    _ answer: FakeTransport.Response, client: JSONObject = [:], key: DecryptionKey? = nil,
    endpoint: String? = "https://id.test/userinfo"
  ) {
    transport = FakeTransport(["https://id.test/userinfo": [answer]])
    self.client = client
    self.key = key
    self.endpoint = endpoint
  }

  func claims(_ subject: String?) async throws -> JSONObject {
    transport.respond("https://id.test/jwks", .keys([try TokenForge(.es256).published()]))
    let server = try metadata(["userinfo_endpoint": endpoint.map { .string($0) }])
    return try await ServerClient(transport: transport).userInfo(
      from: server, for: "app", by: HTTPField(known: "Authorization", "Bearer at"),
      subject: subject, encryption: ResponseEncryption(key: key, client: client),
      at: TokenForge.now
    ) { () throws(OAuthError) in try server.keys(over: transport) }
  }
}
