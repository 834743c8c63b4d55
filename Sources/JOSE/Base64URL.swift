internal import OpenSSL

/// Base64 in the alphabet for URLs and file names, without padding (RFC 7515 section 2).
public enum Base64URL {
  /// The text for the bytes.
  public static func encode(_ bytes: [UInt8]) -> String { Base64.encode(bytes, alphabet: .url) }

  /// The bytes that the text stands for.
  ///
  /// - Parameter text: no padding, no white space, no bit set behind the last byte:
  ///   bytes have one spelling only.
  /// - Returns: the bytes.
  /// - Throws: ``JOSEError`` with the code `malformed`.
  public static func decode(_ text: some StringProtocol) throws(JOSEError) -> [UInt8] {
    guard let bytes = Base64.decode(text.utf8, alphabet: .url) else {
      throw JOSEError(.malformed, "the text is not base64url")
    }
    return bytes
  }

  /// Random bytes as text: states, nonces, code verifiers.
  package static func random(byteCount: Int) throws(JOSEError) -> String {
    do {
      return encode(try Random.bytes(byteCount))
    } catch {
      throw JOSEError(error)
    }
  }

  /// The SHA-256 of a text, as text: PKCE challenges (RFC 7636 section 4.2).
  package static func sha256(_ ascii: String) -> String { encode(Digest.sha256(Array(ascii.utf8))) }

  /// Whether two texts are the same, in a time that does not tell where they differ.
  package static func matches(_ a: String, _ b: String) -> Bool {
    ConstantTime.equal(Array(a.utf8), Array(b.utf8))
  }
}
