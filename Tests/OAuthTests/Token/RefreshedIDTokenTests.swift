import JOSE
import TestSupport

@testable import OAuth

@Suite("The ID token of a refresh")
struct RefreshedIDTokenTests {
  @Test(
    "must have issuer, user and client of the login's ID token",
    arguments: [
      ([:], nil), (["nonce": nil], nil), (["exp": 1, "iat": 1], nil),
      (["aud": ["app", "other"]], nil), (["azp": "app"], nil),
      (
        ["iss": "https://evil.test"],
        "the token is issued by 'https://evil.test', not by 'https://id.test'"
      ), (["iss": nil], "the token is without issuer, not by 'https://id.test'"),
      (["sub": "bob"], "the token is about 'bob', not 'alice'"),
      (["sub": nil], "the token has no 'sub'"),
      (["aud": "other"], "the token is for 'other', not for 'app'"),
      (["aud": nil], "the token is without audience, not for 'app'"),
      (["nonce": "other"], "the token has another nonce"),
    ] as [([String: JSON?], String?)])
  func compared(change: [String: JSON?], cause: String?) async throws {
    let forge = try TokenForge(.es256)
    let new = try forge.token(change)
    let old = try forge.token()
    guard let cause else {
      try IDTokenCheck.requireSame(new, as: old)
      return
    }
    await expect(
      .untrusted, "the ID token that came with the refresh must not be trusted: \(cause)"
    ) { try IDTokenCheck.requireSame(new, as: old) }
  }

  @Test(
    "is for another issuer or user if its names are only canonically equivalent",
    arguments: ["iss", "sub", "aud", "nonce", "azp"])
  func equivalent(claim: String) async throws {
    let forge = try TokenForge(.es256)
    let new = try forge.token([claim: "\u{E9}"])
    let old = try forge.token([claim: "e\u{301}"])
    await expect(.untrusted) { try IDTokenCheck.requireSame(new, as: old) }
  }

  @Test("must have the same authorized party if both have one")
  func party() async throws {
    let forge = try TokenForge(.es256)
    await expect(
      .untrusted,
      "the ID token that came with the refresh must not be trusted: the token is not issued to "
        + "'app' (azp)"
    ) {
      try IDTokenCheck.requireSame(
        try forge.token(["azp": "other"]), as: try forge.token(["azp": "app"]))
    }
  }

  @Test("is not compared with a login's ID token that is malformed, but must itself be well-formed")
  func unreadable() async throws {
    let token = try TokenForge(.es256).token()
    try IDTokenCheck.requireSame(token, as: "id-1")
    await expect(
      .untrusted,
      "the ID token that came with the refresh must not be trusted: "
        + "the token does not have the three parts of a JWS"
    ) { try IDTokenCheck.requireSame("id-2", as: token) }
  }
}
