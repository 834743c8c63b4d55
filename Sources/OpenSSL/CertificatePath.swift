internal import COpenSSL

/// Orders certificates from a leaf to its authorities.
package enum CertificatePath {
  /// How long a chain becomes at most.
  static let limit = 100

  /// The chain of the certificate of a key: leaf first, each issued by the next.
  ///
  /// Certificates that do not belong to it are left out; of several certificates of the key, the one
  /// that expires last is taken.
  ///
  /// - Returns: `nil` if no certificate is for the key.
  package static func ordered(
    from certificates: [Certificate], for key: PublicKey
  ) -> [Certificate]? {
    let own = certificates.filter { (try? $0.publicKey) == key }
    guard let leaf = own.max(by: { $0.notAfter < $1.notAfter }) else { return nil }
    return ordered(from: leaf, certificates)
  }

  /// The chain of a leaf: each issued by the next.
  package static func ordered(from leaf: Certificate, _ others: [Certificate]) -> [Certificate] {
    var chain = [leaf]
    while let last = chain.last, chain.count < limit, !last.isSelfSigned,
      let issuer = others.first(where: { !chain.contains($0) && last.isIssued(by: $0) })
    {
      chain.append(issuer)
    }
    return chain
  }
}

extension Certificate {
  /// Whether its extensions allow it to authenticate a TLS client.
  package var isForClients: Bool {
    defer { ErrorQueue.clear() }
    return crypto.X509_check_purpose(raw, X509_PURPOSE_SSL_CLIENT, 0) == 1
  }
}
