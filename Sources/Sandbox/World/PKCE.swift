/// Proof key for code exchange (RFC 7636), with S256 as the only method.
enum PKCE {
  /// Whether a text can be a challenge: the base64url of a SHA-256.
  static func isChallenge(_ text: String) -> Bool {
    text.utf8.count == 43 && Base64URL.decode(text)?.count == 32
  }

  static func verifier(_ verifier: String, fits challenge: String) -> Bool {
    (43...128).contains(verifier.utf8.count) && verifier.utf8.allSatisfy(isVerifierCharacter)
      && Secret.same(Base64URL.encode(Secret.sha256(verifier)), challenge)
  }

  private static func isVerifierCharacter(_ character: UInt8) -> Bool {
    switch character {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~".utf8.contains(character)
    }
  }
}
