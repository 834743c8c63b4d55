internal import COpenSSL
package import Primitives

/// An X.509 certificate.
// @unchecked: the X509 is never changed after init; what libcrypto caches in it, it locks.
package final class Certificate: @unchecked Sendable {
  let raw: OpaquePointer  // <X509>

  /// The first second of validity.
  package let notBefore: Timestamp
  /// The last second of validity.
  package let notAfter: Timestamp

  /// Reads DER, which ends where the certificate ends.
  package convenience init(der: [UInt8]) throws(CryptoError) {
    let certificate = try decodeDER(der, as: "certificate", releasing: X509_free) {
      d2i_X509(nil, &$0, $1)
    }
    try self.init(adopting: certificate)
  }

  /// Shares an `X509` with its present owner.
  package convenience init(retaining certificate: OpaquePointer) throws(CryptoError) {
    guard X509_up_ref(certificate) == 1 else { throw CryptoError(draining: "keep the certificate") }
    try self.init(adopting: certificate)
  }

  /// Takes over an `X509`; it is freed also when this throws.
  private init(adopting certificate: OpaquePointer) throws(CryptoError) {
    guard let start = instant(X509_get0_notBefore(certificate)),
      let end = instant(X509_get0_notAfter(certificate))
    else {
      X509_free(certificate)
      throw CryptoError("read the certificate", reasons: ["its validity is not a date"])
    }
    raw = certificate
    notBefore = start
    notAfter = end
  }

  deinit { X509_free(raw) }

  /// The certificates of a PEM text in their order; other blocks are ignored.
  package static func list(pem: [UInt8]) throws(CryptoError) -> [Certificate] {
    var certificates: [Certificate] = []
    for block in try PEM.blocks(pem) where Certificate.labels.contains(block.label) {
      certificates.append(try Certificate(der: block.bytes))
    }
    return certificates
  }

  /// The PEM labels of what ``init(der:)`` reads.
  static let labels: Set<String> = ["CERTIFICATE", "X509 CERTIFICATE"]
}

extension Certificate: Hashable {
  package static func == (left: Certificate, right: Certificate) -> Bool {
    X509_cmp(left.raw, right.raw) == 0
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(sha256) }
}

private func instant(_ time: UnsafePointer<ASN1_TIME>?) -> Timestamp? {
  guard let time, let epoch = ASN1_TIME_set(nil, 0) else { return nil }
  defer { ASN1_STRING_free(epoch) }
  var days: Int32 = 0
  var seconds: Int32 = 0
  guard ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else {
    ErrorQueue.clear()
    return nil
  }
  return Timestamp(Int64(days) * 86400 + Int64(seconds))
}
