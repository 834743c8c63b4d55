import JOSE
import JSON
import Testing

@testable import OAuth

@Suite("The ID token of a refresh")
struct RefreshedIDTokenTests {
  @Test(
    "must have issuer, user and client of the login's ID token",
    arguments: [
      ([:], nil), (["nonce": nil], nil), (["exp": 1, "iat": 1], nil),
      (["aud": ["app", "other"]], nil), (["azp": "app"], nil),
      (["iss": "https://evil.test"], "it has another issuer"),
      (["iss": nil], "it has another issuer"), (["sub": "bob"], "it is about another user"),
      (["sub": nil], "it is about another user"), (["aud": "other"], "it is for another client"),
      (["aud": nil], "it is for another client"),
      (["nonce": "other"], "its 'nonce' differs"),
    ] as [([String: JSON?], String?)])
  func compared(change: [String: JSON?], cause: String?) async throws {
    let forge = try TokenForge(.es256)
    let new = try forge.token(change)
    let old = try forge.token()
    guard let cause else {
      try RefreshedIDToken.requireSame(new, as: old)
      return
    }
    await expect(
      .untrusted, "the ID token that came with the refresh must not be trusted: \(cause)"
    ) { try RefreshedIDToken.requireSame(new, as: old) }
  }

  @Test(
    "is for another issuer or user if its names are only canonically equivalent",
    arguments: [
      ("iss", "it has another issuer"), ("sub", "it is about another user"),
      ("aud", "it is for another client"), ("nonce", "its 'nonce' differs"),
      ("azp", "its 'azp' differs"),
    ])
  func equivalent(claim: String, cause: String) async throws {
    let forge = try TokenForge(.es256)
    await expect(
      .untrusted, "the ID token that came with the refresh must not be trusted: \(cause)"
    ) {
      try RefreshedIDToken.requireSame(
        try forge.token([claim: "\u{E9}"]), as: try forge.token([claim: "e\u{301}"]))
    }
  }

  @Test("must have the same authorized party if both have one")
  func party() async throws {
    let forge = try TokenForge(.es256)
    await expect(
      .untrusted,
      "the ID token that came with the refresh must not be trusted: its 'azp' differs"
    ) {
      try RefreshedIDToken.requireSame(
        try forge.token(["azp": "other"]), as: try forge.token(["azp": "app"]))
    }
  }

  @Test("is not compared with a login's ID token that is malformed, but must itself be well-formed")
  func unreadable() async throws {
    let token = try TokenForge(.es256).token()
    try RefreshedIDToken.requireSame(token, as: "id-1")
    await expect(
      .untrusted,
      "the ID token that came with the refresh must not be trusted: "
        + "the token does not have the three parts of a JWS"
    ) { try RefreshedIDToken.requireSame("id-2", as: token) }
  }
}
