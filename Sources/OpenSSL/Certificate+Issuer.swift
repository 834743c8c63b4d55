internal import COpenSSL

extension Certificate {
  /// Whether its issuer has one of these names; compared as RFC 5280 section 7.1 says.
  ///
  /// Each name is a DER `Name`, as a server sends it in its certificate request; one that cannot be
  /// read matches nothing.
  package func isIssued(byAnyOf names: [[UInt8]]) -> Bool {
    names.contains { der in
      guard
        let name = try? decodeDER(
          der, as: "name", releasing: X509_NAME_free, { d2i_X509_NAME(nil, &$0, $1) })
      else { return false }
      defer { X509_NAME_free(name) }
      return X509_NAME_cmp(name, X509_get_issuer_name(raw)) == 0
    }
  }

  /// Whether the other certificate's name is its issuer, and the other's key made its signature.
  package func isIssued(by issuer: Certificate) -> Bool {
    defer { ErrorQueue.clear() }
    guard X509_NAME_cmp(X509_get_subject_name(issuer.raw), X509_get_issuer_name(raw)) == 0,
      let key = X509_get0_pubkey(issuer.raw)
    else { return false }
    return X509_verify(raw, key) == 1
  }
}
