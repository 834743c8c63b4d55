internal import COpenSSL
package import Primitives

/// An X.509 certificate.
// @unchecked: the X509 is never changed after init; what libcrypto caches in it, it locks.
package final class Certificate: @unchecked Sendable {
  let raw: OpaquePointer  // <X509>

  /// SHA-256 of the whole certificate: its fingerprint, which is not its pin.
  package let sha256: [UInt8]
  /// SHA-256 of the SubjectPublicKeyInfo: its pin.
  package let keySHA256: [UInt8]
  /// The first second of validity.
  package let notBefore: Timestamp
  /// The last second of validity.
  package let notAfter: Timestamp

  /// Reads DER, which ends where the certificate ends.
  package convenience init(der: [UInt8]) throws(CryptoError) {
    let certificate = try decodeDER(der, as: "certificate", releasing: { crypto.X509_free($0) }) {
      crypto.d2i_X509(nil, &$0, $1)
    }
    try self.init(adopting: certificate)
  }

  /// Shares an `X509` with its present owner.
  package convenience init(retaining certificate: OpaquePointer) throws(CryptoError) {
    guard crypto.X509_up_ref(certificate) == 1 else {
      throw CryptoError(draining: "keep the certificate")
    }
    try self.init(adopting: certificate)
  }

  /// Takes over an `X509`; it is freed also when this throws.
  private init(adopting certificate: OpaquePointer) throws(CryptoError) {
    do throws(CryptoError) {
      guard let start = instant(crypto.X509_get0_notBefore(certificate)),
        let end = instant(crypto.X509_get0_notAfter(certificate))
      else { throw CryptoError("read the certificate", reasons: ["its validity is not a date"]) }
      notBefore = start
      notAfter = end
      sha256 = try Digest.sha256(encodeDER { crypto.i2d_X509(certificate, $0) })
      keySHA256 = try Digest.sha256(spkiDER(of: certificate))
    } catch {
      crypto.X509_free(certificate)
      throw error
    }
    raw = certificate
  }

  deinit { crypto.X509_free(raw) }

  /// The certificates of a PEM text in their order; other blocks are ignored.
  ///
  /// - Throws: ``CryptoError`` that says at which line and number the first damaged one is.
  package static func list(pem: [UInt8]) throws(CryptoError) -> [Certificate] {
    var certificates: [Certificate] = []
    for block in try PEM.blocks(pem) where Certificate.labels.contains(block.label) {
      do throws(CryptoError) {
        certificates.append(try Certificate(der: block.bytes))
      } catch {
        throw CryptoError(
          error.operation, reasons: ["its certificate at \(block.place), is damaged"],
          kind: error.kind)
      }
    }
    return certificates
  }

  /// The PEM labels of what ``init(der:)`` reads.
  static let labels: Set<String> = ["CERTIFICATE", "X509 CERTIFICATE"]
}

extension Certificate: Hashable {
  package static func == (left: Certificate, right: Certificate) -> Bool {
    crypto.X509_cmp(left.raw, right.raw) == 0
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(sha256) }
}

/// The SubjectPublicKeyInfo, byte by byte as the certificate has it.
func spkiDER(of certificate: OpaquePointer) -> [UInt8] {
  encodeDER { crypto.i2d_X509_PUBKEY(crypto.X509_get_X509_PUBKEY(certificate), $0) }
}

private func instant(_ time: UnsafePointer<ASN1_TIME>?) -> Timestamp? {
  guard let time, let epoch = crypto.ASN1_TIME_set(nil, 0) else { return nil }
  defer { crypto.ASN1_STRING_free(epoch) }
  var days: Int32 = 0
  var seconds: Int32 = 0
  guard crypto.ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else {
    ErrorQueue.clear()
    return nil
  }
  return Timestamp(Int64(days) * 86400 + Int64(seconds))
}
