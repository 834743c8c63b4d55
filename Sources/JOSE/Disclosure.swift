public import JSON
internal import OpenSSL

/// One disclosure of an SD-JWT: a claim, or an element of an array (RFC 9901 section 4.2).
public struct Disclosure: Sendable, Hashable {
  /// The disclosure as it was sent, which the digest is computed of.
  public let text: String
  /// The random text that hides the value of a digest.
  public let salt: String
  /// The name of the claim; `nil` for an element of an array.
  public let name: String?
  /// The value, which may contain digests itself.
  public let value: JSON

  /// Reads a disclosure.
  ///
  /// - Throws: ``JOSEError`` with the code `malformed`.
  init(_ text: String) throws(JOSEError) {
    let bytes = try tokenPart("disclosure", Array(text.utf8)[...])
    let document: JSON
    do {
      document = try JSON(parsing: bytes)
    } catch {
      throw JOSEError(.malformed, "a disclosure is not JSON: \(error)")
    }
    guard let elements = document.array, [2, 3].contains(elements.count),
      let salt = elements.first?.string, let value = elements.last
    else {
      throw JOSEError(
        .malformed,
        "a disclosure is not an array of a salt, a name and a value, or a salt and a value")
    }
    if elements.count == 3 {
      guard let name = elements[1].string else {
        throw JOSEError(.malformed, "the name in a disclosure is \(elements[1].kind), not a string")
      }
      self.name = name
    } else {
      name = nil
    }
    self.text = text
    self.salt = salt
    self.value = value
  }

  /// The digest, which the token has in place of the value.
  func digest(_ algorithm: DigestAlgorithm) throws(JOSEError) -> String {
    try Self.digest(of: Array(text.utf8), algorithm)
  }

  /// A digest as base64url (RFC 9901 section 4.2.3).
  static func digest(
    of bytes: [UInt8], _ algorithm: DigestAlgorithm
  ) throws(JOSEError) -> String {
    Base64URL.encode(
      try joseError { () throws(CryptoError) in try Digest.hash(bytes, with: algorithm) })
  }

  /// The hash algorithm that a payload names (RFC 9901 section 4.1.1).
  ///
  /// - Throws: ``JOSEError`` with the code `unsupported` for an unknown one, or `malformed`.
  static func algorithm(of payload: JSON) throws(JOSEError) -> DigestAlgorithm {
    guard let value = payload["_sd_alg"] else { return .sha256 }
    guard let name = value.string else {
      throw JOSEError(.malformed, "the claim '_sd_alg' is \(value.kind), not a string")
    }
    switch name {
    case "sha-256": return .sha256
    case "sha-384": return .sha384
    case "sha-512": return .sha512
    default:
      throw JOSEError(.unsupported, "the hash algorithm \(quoted(name)) (_sd_alg) is not supported")
    }
  }
}
