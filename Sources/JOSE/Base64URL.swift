internal import Primitives

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
}
