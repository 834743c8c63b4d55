internal import OpenSSL

/// A hash that was taken for a pin, although it is that of the whole certificate: its fingerprint.
public struct PinMistake: Sendable, Hashable {
  /// The hash.
  public let given: Pin
  /// The subject of the certificate.
  public let subject: String
  /// The pin of the certificate's key.
  public let right: Pin

  /// Compares a hash with the fingerprint of a certificate; `nil` if it is another one.
  ///
  /// - Parameters:
  ///   - given: the hash.
  ///   - subject: the subject of the certificate.
  ///   - right: the pin of its key.
  ///   - fingerprint: SHA-256 of the certificate.
  public init?(_ given: Pin, subject: String, right: Pin, fingerprint: [UInt8]) {
    guard given.sha256 == fingerprint else { return nil }
    self.given = given
    self.subject = subject
    self.right = right
  }

  /// The mistake in words; the subject is safe to show.
  public var text: String {
    "\(given) is not a pin: it is the SHA-256 of the whole certificate \(subject); the pin is \(right)"
  }
}

extension PinMistake {
  /// Finds the mistakes among pinned keys.
  ///
  /// - Parameters:
  ///   - pins: what is pinned.
  ///   - certificates: the certificates of the chain in DER.
  /// - Returns: the mistakes that one of the certificates explains.
  static func find(_ pins: [Pin], in certificates: [[UInt8]]) -> [PinMistake] {
    certificates.compactMap { try? Certificate(der: $0) }.flatMap { certificate in
      let (right, fingerprint) = (Pin(of: certificate), certificate.sha256)
      return pins.compactMap {
        PinMistake($0, subject: certificate.subject, right: right, fingerprint: fingerprint)
      }
    }
  }
}
