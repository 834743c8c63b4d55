internal import COpenSSL

/// A certificate signing request (PKCS #10), read for its name and key.
package struct CertificateRequest: Sendable, Hashable {
  /// The subject as one line (RFC 2253), safe to show.
  package let subject: String
  /// The SubjectPublicKeyInfo, byte by byte as the request has it.
  package let spki: [UInt8]

  package init(der: [UInt8]) throws(CryptoError) {
    let request = try decodeDER(
      der, as: "certificate request", releasing: { crypto.X509_REQ_free($0) }
    ) {
      crypto.d2i_X509_REQ(nil, &$0, $1)
    }
    defer { crypto.X509_REQ_free(request) }
    subject = DistinguishedName.text(of: crypto.X509_REQ_get_subject_name(request))
    spki = encodeDER { crypto.i2d_X509_PUBKEY(crypto.X509_REQ_get_X509_PUBKEY(request), $0) }
  }

  /// Reads the first request of a PEM text.
  package init(pem: [UInt8]) throws(CryptoError) {
    guard let block = try PEM.blocks(pem).first(where: { Self.labels.contains($0.label) }) else {
      throw CryptoError(
        "read the certificate request", reasons: ["the text contains no certificate request"])
    }
    try self.init(der: block.bytes)
  }

  /// The PEM labels of what ``init(der:)`` reads.
  static let labels: Set<String> = ["CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST"]
}
