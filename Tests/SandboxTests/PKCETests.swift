import Testing

@testable import Sandbox

@Suite("PKCE accepts S256 verifiers that fit and nothing else")
struct PKCETests {
  @Test("a verifier outside 43 to 128 unreserved characters never fits")
  func refusesOddVerifiers() {
    for text in [
      String(repeating: "a", count: 42), String(repeating: "a", count: 129),
      String(repeating: "a", count: 42) + "+",
    ] {
      let challenge = Base64URL.encode(Secret.sha256(text))
      #expect(!PKCE.verifier(text, fits: challenge))
    }
  }

  @Test(
    "a challenge is the base64url of 32 bytes",
    arguments: [
      ("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", true),
      ("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM=", false),
      ("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw+cM", false),
      ("plain", false),
    ])
  func challenges(text: String, expected: Bool) { #expect(PKCE.isChallenge(text) == expected) }
}
