internal import COpenSSL
internal import Primitives

extension Certificate {
  package var der: [UInt8] { encodeDER { crypto.i2d_X509(raw, $0) } }
  package var pem: String { PEM.encode(der, label: "CERTIFICATE") }

  /// The subject as one line (RFC 2253), safe to show.
  package var subject: String { DistinguishedName.text(of: crypto.X509_get_subject_name(raw)) }
  /// The issuer as one line (RFC 2253), safe to show.
  package var issuer: String { DistinguishedName.text(of: crypto.X509_get_issuer_name(raw)) }
  package var commonName: String? {
    DistinguishedName.commonName(of: crypto.X509_get_subject_name(raw))
  }

  /// The serial number in upper-case hexadecimal digits, as `openssl x509 -serial` shows it.
  package var serial: String {
    guard let number = crypto.ASN1_INTEGER_to_BN(crypto.X509_get0_serialNumber(raw), nil) else {
      return ""
    }
    defer { crypto.BN_free(number) }
    guard let text = crypto.BN_bn2hex(number) else { return "" }
    defer { copenssl_free(text) }
    return String(cString: text)
  }

  /// The DNS names it is for, safe to show.
  package var dnsNames: [String] {
    alternativeNames(GEN_DNS) { VisibleText.of(String(decoding: $0, as: UTF8.self), .bytes) }
  }

  /// The URIs it is for, safe to show.
  package var uris: [String] {
    alternativeNames(GEN_URI) { VisibleText.of(String(decoding: $0, as: UTF8.self), .bytes) }
  }

  /// The mail addresses it is for, safe to show.
  package var emailAddresses: [String] {
    alternativeNames(GEN_EMAIL) { VisibleText.of(String(decoding: $0, as: UTF8.self), .bytes) }
  }

  /// The addresses it is for, as text.
  package var ipAddresses: [String] {
    alternativeNames(GEN_IPADD) { IPAddress(bytes: $0)?.description }
  }

  /// Whether it names a DNS name or an address, by which a client checks a server (RFC 9525).
  package var namesHosts: Bool { !dnsNames.isEmpty || !ipAddresses.isEmpty }

  /// Whether its basicConstraints allow it to issue certificates (RFC 5280 section 4.2.1.9).
  package var isAuthority: Bool {
    defer { ErrorQueue.clear() }
    return crypto.X509_check_ca(raw) == 1
  }

  /// Whether it is signed with its own key, like a root.
  package var isSelfSigned: Bool {
    defer { ErrorQueue.clear() }
    return crypto.X509_self_signed(raw, 1) == 1
  }

  /// The SubjectPublicKeyInfo, byte by byte as the certificate has it.
  package var spki: [UInt8] { spkiDER(of: raw) }

  package var publicKey: PublicKey {
    get throws(CryptoError) {
      ErrorQueue.clear()
      guard let key = crypto.X509_get_pubkey(raw) else {
        throw CryptoError(draining: "read the public key of the certificate")
      }
      return try PublicKey(adopting: key)
    }
  }

  private func alternativeNames(
    _ kind: Int32, _ text: (UnsafeBufferPointer<UInt8>) -> String?
  ) -> [String] {
    let names = copenssl_subject_alternative_names(raw)
    defer {
      crypto.GENERAL_NAMES_free(names)
      ErrorQueue.clear()
    }
    return (0..<copenssl_general_name_count(names)).compactMap { index in
      var type: Int32 = -1
      guard let value = copenssl_general_name(names, index, &type), type == kind else { return nil }
      let bytes = UnsafeBufferPointer(
        start: crypto.ASN1_STRING_get0_data(value), count: Int(crypto.ASN1_STRING_length(value)))
      return text(bytes)
    }
  }
}

extension Certificate {
  /// Whether it is for that host, a DNS name or an address, by its alternative names (RFC 9525).
  package func isFor(host: String) -> Bool {
    defer { ErrorQueue.clear() }
    if IPAddress(host) != nil { return crypto.X509_check_ip_asc(raw, host, 0) == 1 }
    let name = host.hasSuffix(".") ? String(host.dropLast()) : host
    return crypto.X509_check_host(
      raw, name, name.utf8.count,
      UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS), nil) == 1
  }
}
