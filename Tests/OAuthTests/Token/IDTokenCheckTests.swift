import JOSE
import OpenSSL
import TestSupport

@testable import OAuth

@Suite("ID token check")
struct IDTokenCheckTests {
  private static let now = TokenForge.now

  @Test("accepts a token if every check passes", arguments: [JWSAlgorithm.rs256, .es256])
  func good(algorithm: JWSAlgorithm) async throws {
    let forge = try TokenForge(algorithm)
    #expect(try await forge.check() == "alice")
    let lists = try forge.token(["aud": ["other", "app"], "azp": "app"])
    #expect(try await forge.check(lists) == "alice")
  }

  @Test("assumes RS256 if the server announces nothing")
  func silent() async throws {
    let forge = try TokenForge(.rs256)
    #expect(
      try await TokenForge.check(
        try forge.token(), keys: [try forge.published()], announced: nil) == "alice")
  }

  @Test(
    "refuses a token for each claim that is wrong",
    arguments: [
      (["iss": "https://evil.test"], "issued by 'https://evil.test', not by 'https://id.test'"),
      (["aud": "other"], "not for 'app'"), (["aud": 7], "the claim 'aud' is neither"),
      (["azp": "other"], "not issued to 'app'"),
      (["aud": ["app", "other"]], "several audiences but no authorized party"),
      (["exp": .time(now - 60)], "expired 60 seconds ago"), (["exp": nil], "has no expiration"),
      (["iat": nil], "does not say when it was issued"),
      (["iat": .time(now + 61)], "issued 61 seconds in the future"),
      (["nonce": nil], "the token has no 'nonce'"),
      (["nonce": "other"], "the token has another nonce"),
      (["at_hash": "AAAAAAAAAAAAAAAAAAAAAA"], "belongs to another access token (at_hash)"),
      (["sub": nil], "it names no subject"), (["sub": ""], "it names no subject"),
      (
        ["sub": .string(String(repeating: "a", count: 256))],
        "its subject has more than 255 characters"
      ),
    ] as [([String: JSON?], String)])
  func claims(change: [String: JSON?], cause: String) async throws {
    for algorithm in [JWSAlgorithm.rs256, .es256] {
      let forge = try TokenForge(algorithm)
      let token = try forge.token(change)
      let error = await expect(.untrusted) { try await forge.check(token) }
      let message = error?.message ?? ""
      #expect(message.hasPrefix("the ID token must not be trusted: "), "\(message)")
      #expect(message.contains(cause), "\(message)")
    }
  }

  @Test(
    "accepts times at the limits of the clock tolerance",
    arguments: [
      ["exp": .time(now - 59)], ["iat": .time(now + 60)], ["nbf": .time(now + 60)],
    ] as [[String: JSON?]])
  func edges(change: [String: JSON?]) async throws {
    let forge = try TokenForge(.es256)
    #expect(try await forge.check(try forge.token(change)) == "alice")
  }

  @Test("asks for no nonce that was not sent, and for no hash that the token does not carry")
  func optional() async throws {
    let forge = try TokenForge(.es256)
    let token = try forge.token(["nonce": nil, "at_hash": nil])
    #expect(try await forge.check(token, nonce: nil) == "alice")
  }

  @Test(
    "requires the maximum age and the context that were requested",
    arguments: [
      (["max_age": "60"], ["auth_time": .time(now - 100)], nil),
      (
        ["max_age": "60"], ["auth_time": .time(now - 121)],
        "the user authenticated longer ago than max_age"
      ),
      (["max_age": "60"], ["auth_time": .time(now - 120)], nil),
      (["max_age": "9223372036854775807"], ["auth_time": 0], nil),
      (
        ["max_age": "-9223372036854775808"], ["auth_time": .time(now + 50)],
        "the user authenticated longer ago than max_age"
      ),
      (["max_age": "60"], ["auth_time": nil], "the token does not say when the user authenticated"),
      (["acr_values": "gold silver"], ["acr": "silver"], nil),
      (
        ["acr_values": "gold iron"], ["acr": "silver"],
        "the authentication context (acr) is 'silver', not 'gold' or 'iron'"
      ),
      (
        ["acr_values": "gold"], ["acr": nil],
        "the authentication context (acr) is missing, not 'gold'"
      ),
      ([:], ["acr": "silver", "auth_time": 1], nil),
    ] as [(FormParameters, [String: JSON?], String?)])
  func authentication(
    parameters: FormParameters, claims: [String: JSON?], cause: String?
  ) async throws {
    let forge = try TokenForge(.es256)
    let token = try forge.token(claims)
    guard let cause else {
      #expect(try await forge.check(token, parameters: parameters) == "alice")
      return
    }
    await expect(.untrusted, "the ID token must not be trusted: \(cause)") {
      try await forge.check(token, parameters: parameters)
    }
  }

  @Test("fails if the server publishes no keys")
  func noKeys() async throws {
    let forge = try TokenForge(.es256)
    let server = try metadata(["jwks_uri": nil, "id_token_signing_alg_values_supported": ["ES256"]])
    let check = IDTokenCheck(
      server: server, clientID: "app", nonce: TokenForge.nonce, accessToken: TokenForge.accessToken)
    let token = try forge.token()
    await expect(.unsupported, "https://id.test offers no jwks endpoint") {
      _ = try await check.subject(of: token, at: Self.now) { () throws(OAuthError) in
        try server.keys(over: FakeTransport())
      }
    }
  }

  @Test("refuses a text that is not a JWT", arguments: ["", "a.b", "a.b.c.d.e", "{}"])
  func noToken(text: String) async throws {
    let error = await expect(.untrusted) {
      _ = try await TokenForge.check(text, keys: [], announced: nil)
    }
    #expect(error?.message.hasPrefix("the ID token must not be trusted: the token") == true)
  }
}
