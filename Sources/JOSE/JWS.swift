public import JSON
internal import OpenSSL

/// A signed message in compact form (RFC 7515 section 7.1), parsed but not verified.
public struct JWS: Sendable, Hashable {
  /// The most bytes of a token that are read.
  public static let maximumByteCount = 1 << 20

  /// The protected header, an object.
  public let header: JSON
  /// The algorithm that the header names; `nil` when it is unknown here.
  public let algorithm: JWSAlgorithm?
  /// The key ID.
  public let keyID: String?
  /// The type (`typ`) as it was written.
  public let type: String?
  /// What was signed.
  public let payload: [UInt8]
  /// The signature or MAC.
  public let signature: [UInt8]

  /// The whole text, whose beginning was signed.
  let compact: [UInt8]
  let signedByteCount: Int

  /// Parses a token.
  ///
  /// - Parameter compact: three parts of strict base64url, the first an object of
  ///   distinct members without an unknown critical extension.
  /// - Throws: ``JOSEError`` with the code `tooLarge`, `malformed` or `criticalUnknown`.
  public init(compact: String) throws(JOSEError) {
    guard compact.utf8.count <= Self.maximumByteCount else {
      throw JOSEError(.tooLarge, "the token has more than \(Self.maximumByteCount) bytes")
    }
    let bytes = Array(compact.utf8)
    let dots = bytes.indices.filter { bytes[$0] == UInt8(ascii: ".") }
    guard dots.count == 2 else {
      throw JOSEError(
        .malformed,
        dots.count == 4
          ? "the token is encrypted, not signed" : "the token has not the three parts of a JWS")
    }
    let header = try Self.header(try part("header", bytes[..<dots[0]]))
    payload = try part("payload", bytes[(dots[0] + 1)..<dots[1]])
    signature = try part("signature", bytes[(dots[1] + 1)...])
    algorithm = JWSAlgorithm(rawValue: try text("alg", of: header) ?? "")
    keyID = try text("kid", of: header)
    type = try text("typ", of: header)
    self.header = header
    self.compact = bytes
    signedByteCount = dots[1]
  }

  private static func header(_ bytes: [UInt8]) throws(JOSEError) -> JSON {
    let header: JSON
    do {
      header = try JSON(parsing: bytes)
    } catch {
      throw JOSEError(.malformed, "the header is not JSON: \(error)")
    }
    guard header.object != nil else { throw JOSEError(.malformed, "the header is \(header.kind)") }
    guard header["alg"] != nil else { throw JOSEError(.malformed, "the header has no 'alg'") }
    if let critical = header["crit"] {
      // No extension is known here, so every well-formed list names an unknown one.
      guard let name = critical.strings?.first else {
        throw JOSEError(.malformed, "the header member 'crit' is no list of names")
      }
      throw JOSEError(.criticalUnknown, "the critical extension \(quoted(name)) is unknown")
    }
    guard header["b64"].map({ $0 == true }) ?? true else {
      throw JOSEError(.criticalUnknown, "the extension 'b64' is unknown")
    }
    return header
  }
}

private func part(_ name: String, _ text: ArraySlice<UInt8>) throws(JOSEError) -> [UInt8] {
  guard let bytes = Base64.decode(text, alphabet: .url) else {
    throw JOSEError(.malformed, "the \(name) of the token is not base64url")
  }
  return bytes
}

private func text(_ name: String, of header: JSON) throws(JOSEError) -> String? {
  guard let value = header[name] else { return nil }
  guard let text = value.string else {
    throw JOSEError(.malformed, "the header member '\(name)' is \(value.kind), not a string")
  }
  return text
}
