import JOSE
import TestSupport

@testable import OAuth

@Suite("An authorization response as a token")
struct ResponseTokenTests {
  private static let notToken =
    "the authorization response is not a token, though one was requested"

  @Test(
    "returns its code if every check passes",
    arguments: [ResponseMode.queryToken, .formPostToken])
  func good(mode: ResponseMode) async throws {
    let bench = try Bench(mode)
    let response = try bench.response()
    #expect(response.matches(bench.request))
    #expect(response.flaw(for: bench.request) == nil)
    #expect(try await bench.code(response) == "c")
  }

  @Test(
    "is refused for each claim that is wrong",
    arguments: [
      (["iss": "https://evil.test"], "the token is issued by 'https://evil.test'"),
      (["iss": nil], "the token is without issuer"),
      (["aud": "other"], "the token is for 'other', not for "),
      (["aud": nil], "the token is without audience, not for "),
      (["exp": nil], "the token has no expiration"),
      (["exp": .time(TokenForge.now - 60)], "the token expired 60 seconds ago"),
    ] as [([String: JSON?], String)])
  func claims(change: [String: JSON?], cause: String) async throws {
    let bench = try Bench()
    let response = try bench.response(change)
    let error = await expect(.untrusted) { try await bench.code(response) }
    #expect(
      error?.message.hasPrefix("the authorization response must not be trusted: \(cause)") == true,
      "\(error?.message ?? "")")
  }

  @Test("is recognised by its own state, not by another parameter's")
  func state() async throws {
    let bench = try Bench()
    let other = try bench.response(["state": "other"])
    #expect(!other.matches(bench.request))
    #expect(other.flaw(for: bench.request)?.hasPrefix("it belongs to another login") == true)
    let outside = try #require(
      AuthorizationResponse(
        encoded: "state=\(bench.request.state)&code=c&response=\(bench.token(["state": nil]))"))
    #expect(!outside.matches(bench.request))
    let twice = try #require(
      AuthorizationResponse(encoded: "response=\(bench.token())&response=\(bench.token())"))
    #expect(!twice.matches(bench.request))
  }

  @Test("is required if it was requested: a plain response is refused")
  func downgrade() async throws {
    let bench = try Bench()
    let plain = try #require(
      AuthorizationResponse(encoded: "code=c&state=\(bench.request.state)&iss=https://id.test"))
    #expect(!plain.matches(bench.request))
    await expect(.untrusted, Self.notToken) { _ = try await bench.code(plain) }
  }

  @Test("is ignored if it was not requested")
  func unasked() async throws {
    let bench = try Bench(.query)
    #expect(try !bench.response().matches(bench.request))
  }

  @Test("signed by another key or algorithm is refused, even if it reports an error")
  func forged() async throws {
    let bench = try Bench()
    let stranger = try TokenForge(.es256, stranger: true)
    for members in [[:], ["code": nil, "error": "access_denied"]] as [[String: JSON?]] {
      let response = try bench.response(members, by: stranger)
      #expect(response.matches(bench.request))
      await expect(.untrusted, "the signature of the authorization response is wrong") {
        _ = try await bench.code(response)
      }
    }
    let unsigned = Base64URL.encode(Array(#"{"alg":"none"}"#.utf8))
    let payload = bench.token().split(separator: ".")[1]
    let response = try #require(AuthorizationResponse(encoded: "response=\(unsigned).\(payload)."))
    await expect(
      .untrusted, "the authorization response is signed with an algorithm that is not allowed"
    ) { _ = try await bench.code(response) }
  }

  @Test("may be a refusal")
  func refusal() async throws {
    let bench = try Bench()
    let response = try bench.response([
      "code": nil, "error": "access_denied", "error_description": "no",
    ])
    await expect(.denied, "access_denied (no)") { _ = try await bench.code(response) }
  }

  @Test("may be encrypted, and must be encrypted if that was registered")
  func encrypted() async throws {
    let key = try DecryptionKey.generate(.ecdhES)
    let client: JSONObject = ["authorization_encrypted_response_alg": "ECDH-ES"]
    let bench = try Bench(encryption: ResponseEncryption(key: key, client: client))
    #expect(try !bench.response().matches(bench.request))
    let sealed = try JWE.encrypt(
      Array(bench.token().utf8), to: try #require(key.publicKey), .ecdhES, .a128CBCHS256)
    let response = try #require(AuthorizationResponse(encoded: "response=\(sealed)"))
    #expect(try await bench.code(response) == "c")
  }
}

/// A login that asked for a token, and the server that makes it.
private struct Bench {
  let request: AuthorizationRequest
  private let server: ServerMetadata

  init(
    _ mode: ResponseMode = .queryToken,
    encryption: ResponseEncryption = ResponseEncryption(key: nil, client: [:])
  ) throws {
    var request = try AuthorizationRequest(scope: nil, ["response_mode": mode.rawValue])
    request.encryption = encryption
    self.request = request
    server = try metadata(["authorization_signing_alg_values_supported": ["ES256"]])
  }

  func token(_ changes: [String: JSON?] = [:], by forge: TokenForge? = nil) -> String {
    var claims: [String: JSON?] = [
      "state": .string(request.state), "code": "c", "nonce": nil, "at_hash": nil,
    ]
    claims.merge(changes) { $1 }
    return (try? (forge ?? TokenForge(.es256)).token(claims)) ?? ""
  }

  func response(
    _ changes: [String: JSON?] = [:], by forge: TokenForge? = nil
  ) throws -> AuthorizationResponse {
    try #require(AuthorizationResponse(encoded: "response=\(token(changes, by: forge))"))
  }

  func code(_ response: AuthorizationResponse) async throws -> String {
    let transport = FakeTransport([
      "https://id.test/jwks": [.keys([try TokenForge(.es256).published()])]
    ])
    try await response.verify(for: request, from: server, at: TokenForge.now) {
      () throws(OAuthError) in try server.keys(over: transport)
    }
    return try response.code(for: request, from: server)
  }
}
