public import JSON
internal import Primitives

/// A JWT with selective disclosure in compact form (RFC 9901 section 4), parsed but not verified.
///
/// It is a signed token, its disclosures, and perhaps a token with which the holder proves its key.
public struct SDJWT: Sendable, Hashable {
  /// The token that the issuer signed.
  public let issued: JWS
  /// The disclosures, in their order.
  public let disclosures: [Disclosure]
  /// The token that the holder signed (RFC 9901 section 4.3); `nil` without key binding.
  public let keyBinding: JWS?

  /// What `sd_hash` is computed of: everything before the key binding.
  private let presented: ArraySlice<UInt8>

  /// Whether a text is meant as one: a JWT never has the separator.
  public static func hasForm(_ text: String) -> Bool { text.utf8.contains(separator) }

  /// Reads a token.
  ///
  /// - Throws: ``JOSEError`` as ``JWS/init(compact:)`` does, and with the code `malformed` for a
  ///   malformed disclosure.
  public init(_ compact: String) throws(JOSEError) {
    guard compact.utf8.count <= JWS.maximumByteCount else { throw JWS.tooLong }
    let bytes = Array(compact.utf8)
    let parts = bytes.split(separator: Self.separator, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    issued = try JWS(compact: parts[0])
    var disclosures: [Disclosure] = []
    for part in parts.dropFirst().dropLast() { disclosures.append(try Disclosure(part)) }
    self.disclosures = disclosures
    let last = parts[parts.count - 1]
    if last.isEmpty {
      keyBinding = nil
    } else {
      guard last.utf8.contains(UInt8(ascii: ".")) else {
        throw JOSEError(.malformed, "the '~' at the end of the SD-JWT is missing")
      }
      do throws(JOSEError) {
        keyBinding = try JWS(compact: last)
      } catch {
        throw JOSEError(error.code, "the key binding: \(error.message)")
      }
    }
    presented = bytes[..<(bytes.count - last.utf8.count)]
  }

  /// The payload that the issuer signed, which has digests in place of values.
  ///
  /// - Throws: ``JOSEError`` with the code `malformed`.
  public func payload() throws(JOSEError) -> JSON {
    do {
      let payload = try JSON(parsing: issued.payload)
      if payload.object != nil { return payload }
    } catch {
      throw JOSEError(.malformed, "the payload is not JSON: \(error)")
    }
    throw JOSEError(.malformed, "the payload is not an object")
  }

  /// The value that `sd_hash` must have (RFC 9901 section 4.3.1).
  func hash() throws(JOSEError) -> String {
    try Disclosure.digest(of: Array(presented), try Disclosure.algorithm(of: payload()))
  }

  /// Refuses the `sd_hash` of a key binding that was made for another token, or with other disclosures.
  ///
  /// - Throws: ``JOSEError`` with the code `hashMismatch`; as ``hash()``.
  func requireHash(_ found: String) throws(JOSEError) {
    guard sameIdentifier(found, try hash()) else {
      throw JOSEError(
        .hashMismatch, "the key binding is of another token or other disclosures (sd_hash)")
    }
  }

  private static let separator = UInt8(ascii: "~")
}
