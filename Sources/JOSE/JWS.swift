public import JSON
internal import Primitives

/// A signed message in compact form (RFC 7515 section 7.1), parsed but not verified.
public struct JWS: Sendable, Hashable {
  /// The maximum size of a token in bytes.
  public static let maximumByteCount = 1 << 20

  /// The error for a longer one.
  public static let tooLong = JOSEError(
    .tooLarge, "the token has more than \(maximumByteCount) bytes")

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
      throw Self.tooLong
    }
    let bytes = Array(compact.utf8)
    let dots = bytes.indices.filter { bytes[$0] == UInt8(ascii: ".") }
    guard dots.count == 2 else {
      throw JOSEError(
        .malformed,
        dots.count == 4
          ? "the token is encrypted, not signed"
          : "the token does not have the three parts of a JWS")
    }
    let header = try Self.header(try tokenPart("header", bytes[..<dots[0]]))
    payload = try tokenPart("payload", bytes[(dots[0] + 1)..<dots[1]])
    signature = try tokenPart("signature", bytes[(dots[1] + 1)...])
    algorithm = JWSAlgorithm(identifier: try headerText("alg", of: header) ?? "")
    keyID = try headerText("kid", of: header)
    type = try headerText("typ", of: header)
    self.header = header
    self.compact = bytes
    signedByteCount = dots[1]
  }

  private static func header(_ bytes: [UInt8]) throws(JOSEError) -> JSON {
    let header = try protectedHeader(bytes)
    guard header["b64"].map({ $0 == true }) ?? true else {
      throw JOSEError(.criticalUnknown, "the extension 'b64' is unknown")
    }
    return header
  }
}
