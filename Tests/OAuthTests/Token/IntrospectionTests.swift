import JOSE
import TestSupport

@testable import OAuth

@Suite("Introspection")
struct IntrospectionTests {
  private static let prefix = "the introspection response must not be trusted: "
  private static let type = "application/token-introspection+jwt"

  @Test("asks with the token and what it is, and returns what the server says")
  func plain() async throws {
    let bench = Bench(.json(#"{"active":true,"scope":"a"}"#))
    #expect(try await bench.claims(.access) == ["active": true, "scope": "a"])
    let sent = try #require(bench.transport.sent.first)
    #expect(sent.line == "POST https://id.test/introspect")
    #expect(sent.fields["Accept"] == "application/json")
    #expect(sent.body.contains("token=the-token"))
    #expect(sent.body.contains("token_type_hint=access_token"))
    #expect(try await Bench(.json(#"{"active":false}"#)).claims(nil) == ["active": false])
  }

  @Test("does not send a hint if it is not known what the token is")
  func noHint() async throws {
    let bench = Bench(.json(#"{"active":true}"#))
    _ = try await bench.claims(nil)
    #expect(bench.transport.sent.first?.body.contains("token_type_hint") == false)
  }

  @Test(
    "refuses a response that does not say whether the token is active",
    arguments: [
      "{}", #"{"active":"true"}"#, #"{"active":null}"#, #"{"active":1}"#,
    ])
  func silent(body: String) async throws {
    await expect(
      .malformed, "the introspection response does not say whether the token is active"
    ) { _ = try await Bench(.json(body)).claims(nil) }
  }

  @Test(
    "verifies a signed response with its type, issuer and audience",
    arguments: [
      ([:], [:], nil),
      (["iss": "https://evil.test"], [:], "the token is issued by 'https://evil.test'"),
      (["aud": "other"], [:], "the token is for 'other', not for 'app'"),
      (["iat": nil], [:], "the token"),
      (["token_introspection": nil], [:], "it has no claim 'token_introspection'"),
      ([:], ["typ": "JWT"], "the token is of the type 'JWT'"),
      ([:], ["typ": nil], "the token is without a type"),
    ] as [([String: JSON?], [String: JSON?], String?)])
  func signed(claims: [String: JSON?], header: [String: JSON?], cause: String?) async throws {
    let bench = Bench(.other(200, Self.type, try Self.token(claims, header)))
    guard let cause else {
      #expect(try await bench.claims(nil, asToken: true) == ["active": true, "sub": "alice"])
      #expect(bench.transport.sent.first?.fields["Accept"] == Self.type)
      return
    }
    let error = await expect(.untrusted) { _ = try await bench.claims(nil, asToken: true) }
    #expect(error?.message.hasPrefix(Self.prefix + cause) == true, "\(error?.message ?? "")")
  }

  @Test("refuses a signature of another key, and an unsigned response if a signed one is required")
  func forged() async throws {
    let token = try Self.token([:], [:], forge: TokenForge(.es256, stranger: true))
    await expect(.untrusted) { _ = try await Bench(.other(200, Self.type, token)).claims(nil) }
    await expect(.untrusted, Self.prefix + "it is not signed") {
      _ = try await Bench(.json(#"{"active":true}"#)).claims(nil, asToken: true)
    }
  }

  @Test("needs a server that has it")
  func missing() async throws {
    await expect(.unsupported, "https://id.test offers no introspection endpoint") {
      _ = try await Bench(.json("{}"), endpoint: nil).claims(nil)
    }
  }

  private static func token(
    _ claims: [String: JSON?], _ header: [String: JSON?], forge: TokenForge? = nil
  ) throws -> String {
    var fields: JSONObject = ["kid": "k1", "typ": "token-introspection+jwt"]
    for (name, value) in header { fields[name] = value }
    let all = ["token_introspection": ["active": true, "sub": "alice"]].merging(claims) { $1 }
    return try (try forge ?? TokenForge(.es256)).token(all, header: fields)
  }
}

/// An introspection endpoint with one response.
private struct Bench {
  let transport: FakeTransport
  private let endpoint: JSON?

  init(_ answer: FakeTransport.Response, endpoint: JSON? = "https://id.test/introspect") {
    transport = FakeTransport(["https://id.test/introspect": [answer]])
    self.endpoint = endpoint
  }

  func claims(_ hint: TokenHint?, asToken: Bool = false) async throws -> JSONObject {
    transport.respond("https://id.test/jwks", .keys([try TokenForge(.es256).published()]))
    let server = try metadata([
      "introspection_endpoint": endpoint,
      "introspection_signing_alg_values_supported": ["ES256", "HS256"],
    ])
    return try await ServerClient(transport: transport).introspection(
      of: "the-token", hint: hint, isSigned: asToken, from: server, as: .open, at: TokenForge.now
    ) { () throws(OAuthError) in try server.keys(over: transport) }
  }
}
