internal import COpenSSL
package import Primitives

extension Certificate {
  /// What a self-signed certificate is for.
  package enum Purpose: Sendable {
    /// Client authentication in TLS handshakes.
    case client
    /// Signatures of another protocol.
    case signature
  }

  /// Makes a self-signed certificate, by default for a client.
  ///
  /// No authority issued it: a server must know it beforehand. It cannot issue certificates.
  ///
  /// - Parameters:
  ///   - key: the key pair.
  ///   - purpose: what it is for.
  ///   - commonName: subject and issuer.
  ///   - start: the first second of validity.
  ///   - end: the last one.
  /// - Returns: the certificate.
  /// - Throws: ``CryptoError`` when libcrypto cannot.
  package static func selfSigned(
    by key: PrivateKey, for purpose: Purpose = .client, commonName: String, from start: Timestamp,
    to end: Timestamp
  ) throws(CryptoError) -> Certificate {
    let operation = "make a certificate"
    ErrorQueue.clear()
    guard let certificate = crypto.X509_new() else { throw CryptoError(draining: operation) }
    defer { crypto.X509_free(certificate) }
    guard crypto.X509_set_version(certificate, 2) == 1,  // X.509 v3
      setSerial(of: certificate, try Random.bytes(16)),
      crypto.ASN1_TIME_set(crypto.X509_getm_notBefore(certificate), time_t(start.seconds)) != nil,
      crypto.ASN1_TIME_set(crypto.X509_getm_notAfter(certificate), time_t(end.seconds)) != nil,
      crypto.X509_set_pubkey(certificate, key.raw) == 1,
      setName(of: certificate, commonName),
      extensions(for: purpose).allSatisfy({ add($0, to: certificate) }),
      crypto.X509_sign(certificate, key.raw, key.kind.signsWithDigest ? crypto.EVP_sha256() : nil)
        > 0
    else { throw CryptoError(draining: operation) }
    return try Certificate(retaining: certificate)
  }

  private static func extensions(
    for purpose: Purpose
  ) -> [(identifier: Int32, value: String)] {
    let all = [
      (NID_basic_constraints, "critical,CA:FALSE"), (NID_key_usage, "critical,digitalSignature"),
    ]
    return switch purpose {
    case .client: all + [(NID_ext_key_usage, "clientAuth")]
    case .signature: all
    }
  }

  private static func setSerial(of certificate: OpaquePointer, _ bytes: [UInt8]) -> Bool {
    // A positive number of no more than 20 bytes (RFC 5280 section 4.1.2.2).
    guard let number = crypto.BN_bin2bn([0x01] + bytes, Int32(bytes.count + 1), nil) else {
      return false
    }
    defer { crypto.BN_free(number) }
    return crypto.BN_to_ASN1_INTEGER(number, crypto.X509_get_serialNumber(certificate)) != nil
  }

  private static func setName(of certificate: OpaquePointer, _ text: String) -> Bool {
    let utf8 = Array(text.utf8)
    guard let name = crypto.X509_get_subject_name(certificate) else { return false }
    return crypto.X509_NAME_add_entry_by_NID(
      name, NID_commonName, Int32(MBSTRING_UTF8), utf8, Int32(clamping: utf8.count), -1, 0) == 1
      && crypto.X509_set_issuer_name(certificate, name) == 1
  }

  private static func add(
    _ item: (identifier: Int32, value: String), to certificate: OpaquePointer
  ) -> Bool {
    guard let made = crypto.X509V3_EXT_conf_nid(nil, nil, item.identifier, item.value) else {
      return false
    }
    defer { crypto.X509_EXTENSION_free(made) }
    return crypto.X509_add_ext(certificate, made, -1) == 1
  }
}

extension KeyKind {
  /// Whether the algorithm takes a digest, rather than having its own.
  var signsWithDigest: Bool {
    switch self {
    case .ed25519, .ed448: false
    default: true
    }
  }
}
