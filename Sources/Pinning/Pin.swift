package import OpenSSL
internal import Primitives

/// The SHA-256 of a DER SubjectPublicKeyInfo (RFC 7469 section 2.4).
///
/// The module compares the keys of a host with pins. It
/// makes no connection and validates no chain: pins are an additional check.
public struct Pin: Sendable, Hashable, CustomStringConvertible {
  /// The 32 bytes.
  public let sha256: [UInt8]

  /// Takes a digest; `nil` unless it has 32 bytes.
  public init?(sha256: [UInt8]) {
    guard sha256.count == 32 else { return nil }
    self.sha256 = sha256
  }

  /// Hashes a DER SubjectPublicKeyInfo.
  package init(spki: [UInt8]) throws(CryptoError) { sha256 = try Digest.sha256(spki) }

  /// The pin of a certificate.
  package init(of certificate: Certificate) { sha256 = certificate.keySHA256 }

  /// Reads the common notations.
  ///
  /// `sha256//B64` (curl), `sha256/B64` (okhttp), `pin-sha256="B64"` (HPKP), bare base64 or
  /// base64url of 32 bytes with or without padding, and 64 hexadecimal digits with or
  /// without colons. White space around it is passed over.
  public init?(_ text: String) {
    var body = Substring(text).trimmed
    if let quoted = body.dropping(prefix: "pin-sha256=") {
      guard quoted.count >= 2, quoted.first == "\"", quoted.last == "\"" else { return nil }
      body = quoted.dropFirst().dropLast()
    } else if let rest = body.dropping(prefix: "sha256/") {
      // Base64 may begin with a slash: it is curl's second slash only if the text is not a pin with
      // it.
      body = decoded(rest) == nil && rest.first == "/" ? rest.dropFirst() : rest
    }
    guard let bytes = decoded(body) else { return nil }
    self.init(sha256: bytes)
  }

  /// The pin as okhttp writes it: `sha256/B64`.
  public var description: String { "sha256/\(base64)" }

  /// The digest in padded base64.
  public var base64: String { Base64.encode(sha256) }
}

private func decoded(_ text: Substring) -> [UInt8]? {
  let text = Array(text.utf8)
  switch text.count {
  case 43: return Base64.decode(text, alphabet: .url) ?? Base64.decode(text + [UInt8(ascii: "=")])
  case 44:
    guard text.last == UInt8(ascii: "=") else { return nil }
    return Base64.decode(text) ?? Base64.decode(text.dropLast(), alphabet: .url)
  case 64: return Hex.decode(text)
  // AA:BB:…, as certificate viewers print digests.
  case 95:
    let separated = text.enumerated().allSatisfy { $0 % 3 != 2 || $1 == UInt8(ascii: ":") }
    return separated ? Hex.decode(text.filter { $0 != UInt8(ascii: ":") }) : nil
  default: return nil
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    var rest = drop { $0.isWhitespace }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return rest
  }

  /// The text after the prefix, compared without regard to case; `nil` without the prefix.
  fileprivate func dropping(prefix: String) -> Substring? {
    self.prefix(prefix.count).asciiLowercased == prefix ? dropFirst(prefix.count) : nil
  }
}
