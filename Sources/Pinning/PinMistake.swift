internal import OpenSSL

/// A hash that was taken for a pin, although it is the hash of something else of a certificate.
public struct PinMistake: Sendable, Hashable {
  /// What the hash was made of.
  public enum Kind: Sendable, Hashable, CaseIterable {
    /// The whole certificate: its fingerprint.
    case certificate
    /// The bits of the key without their type: the BIT STRING of its SubjectPublicKeyInfo.
    case keyBits
  }

  /// The hash.
  public let given: Pin
  /// What it was made of.
  public let kind: Kind
  /// The subject of the certificate.
  public let subject: String
  /// The pin of the certificate's key.
  public let right: Pin

  /// Compares a hash with the hashes of a certificate that are not its pin; `nil` if it is neither.
  ///
  /// - Parameters:
  ///   - given: the hash.
  ///   - subject: the subject of the certificate.
  ///   - right: the pin of its key.
  ///   - fingerprint: SHA-256 of the certificate.
  ///   - keyBits: SHA-256 of the bits of its key.
  public init?(
    _ given: Pin, subject: String, right: Pin, fingerprint: [UInt8], keyBits: [UInt8]
  ) {
    switch given.sha256 {
    case right.sha256: return nil
    case fingerprint: kind = .certificate
    case keyBits: kind = .keyBits
    default: return nil
    }
    self.given = given
    self.subject = subject
    self.right = right
  }

  /// The mistake in words; the subject is safe to show.
  public var text: String {
    let source =
      switch kind {
      case .certificate: "the whole certificate \(subject)"
      case .keyBits: "the key bits of \(subject) without the type of the key"
      }
    return "\(given) is not a pin: it is the SHA-256 of \(source); the pin is \(right)"
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
      let right = Pin(spki: certificate.spki)
      let (fingerprint, bits) = (
        certificate.sha256, certificate.keyBits.map(Digest.sha256) ?? []
      )
      return pins.compactMap {
        PinMistake(
          $0, subject: certificate.subject, right: right, fingerprint: fingerprint,
          keyBits: bits)
      }
    }
  }
}
