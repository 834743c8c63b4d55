import COpenSSL
package import Primitives

/// A certificate signing request (PKCS #10), read for its name and key.
package struct CertificateRequest: Sendable, Hashable {
  /// The subject as one line (RFC 2253), safe to show.
  package let subject: String
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

  static let labels: Set<String> = ["CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST"]

  /// Makes a certificate request (PKCS #10, DER) that the key signs.
  package static func make(
    _ content: CertificateRequestContent, signedBy key: PrivateKey
  ) throws(CryptoError) -> [UInt8] {
    let operation = "make the certificate request"
    ErrorQueue.clear()
    let made = content.renewed == nil ? try content.subject.made() : nil
    defer { crypto.X509_NAME_free(made) }
    // Setting a name copies the bytes that it was read from.
    let subjectName = content.renewed.map { crypto.X509_get_subject_name($0.raw) } ?? made
    let names = try require(crypto.GENERAL_NAMES_new(), to: operation)
    defer { crypto.GENERAL_NAMES_free(names) }
    try addNames(of: content, to: names)
    let request = try require(crypto.X509_REQ_new(), to: operation)
    defer { crypto.X509_REQ_free(request) }
    let digest = key.kind.signsWithDigest ? crypto.EVP_sha256() : nil
    try require(
      crypto.X509_REQ_set_version(request, 0) == 1
        && crypto.X509_REQ_set_subject_name(request, subjectName) == 1
        && crypto.X509_REQ_set_pubkey(request, key.raw) == 1
        && copenssl_request_extensions(
          request, names, content.renewed?.raw, content.isForClient ? 1 : 0) == 1
        && setChallenge(content.challengePassword, of: request)
        && crypto.X509_REQ_sign(request, key.raw, digest) > 0, to: operation)
    return encodeDER { crypto.i2d_X509_REQ(request, $0) }
  }

  private static func setChallenge(_ password: String?, of request: OpaquePointer) -> Bool {
    guard let bytes = password.map({ Array($0.utf8) }) else { return true }
    return crypto.X509_REQ_add1_attr_by_NID(
      request, NID_pkcs9_challengePassword, Int32(MBSTRING_UTF8), bytes,
      Int32(clamping: bytes.count)) == 1
  }

  private static func addNames(
    of content: CertificateRequestContent, to names: OpaquePointer
  ) throws(CryptoError) {
    let operation = "make the alternative names"
    var values: [(type: Int32, bytes: [UInt8])] = []
    values += content.dnsNames.map { (GEN_DNS, Array($0.utf8)) }
    values += content.emailAddresses.map { (GEN_EMAIL, Array($0.utf8)) }
    values += content.uris.map { (GEN_URI, Array($0.utf8)) }
    let wrongText = values.first { value in
      value.bytes.isEmpty || !value.bytes.allSatisfy { (0x21...0x7E).contains($0) }
    }
    let wrongAddress = content.ipAddresses.first { IPAddress($0) == nil }
    values += content.ipAddresses.map { (GEN_IPADD, IPAddress($0)?.bytes ?? []) }
    let reason =
      wrongText.map { "'\(VisibleText.of(bytes: $0.bytes))' is empty, or not ASCII" }
      ?? wrongAddress.map { "'\(VisibleText.of($0))' is not an IP address" }
    if let reason { throw CryptoError(operation, reasons: [reason]) }
    for (type, bytes) in values {
      try require(
        copenssl_append_name(names, type, bytes, Int32(clamping: bytes.count)) == 1, to: operation)
    }
  }
}

package struct CertificateRequestContent: Sendable {
  package var subject: SubjectName
  package var dnsNames: [String] = []
  package var ipAddresses: [String] = []
  package var emailAddresses: [String] = []
  package var uris: [String] = []
  /// Whether it says that the certificate is for TLS clients.
  package var isForClient = true
  /// The attribute `challengePassword` (RFC 2985 section 5.4.1).
  package var challengePassword: String?

  /// The certificate whose subject and alternative names it has, byte for byte, in place of others.
  private(set) var renewed: Certificate?

  package init(subject: SubjectName) { self.subject = subject }

  /// The content for a renewal of a certificate (RFC 7030 section 4.2.2).
  package init(renewing certificate: Certificate) {
    subject = SubjectName(commonName: "")
    renewed = certificate
  }
}

extension Certificate {
  package enum Purpose: Sendable {
    /// Client authentication in TLS handshakes.
    case client
    /// Signatures of another protocol.
    case signature
  }

  /// Makes a self-signed certificate, by default for a client.
  ///
  /// No authority issued it: a server must know it beforehand. It cannot issue certificates.
  package static func selfSigned(
    by key: PrivateKey, for purpose: Purpose = .client, commonName: String, from start: Timestamp,
    to end: Timestamp
  ) throws(CryptoError) -> Certificate {
    let operation = "make a certificate"
    ErrorQueue.clear()
    let certificate = try require(crypto.X509_new(), to: operation)
    defer { crypto.X509_free(certificate) }
    let serial = try Random.bytes(16)
    let digest = key.kind.signsWithDigest ? crypto.EVP_sha256() : nil
    try require(
      crypto.X509_set_version(certificate, 2) == 1  // X.509 v3
        && setSerial(of: certificate, serial)
        && crypto.ASN1_TIME_set(crypto.X509_getm_notBefore(certificate), time_t(start.seconds))
          != nil
        && crypto.ASN1_TIME_set(crypto.X509_getm_notAfter(certificate), time_t(end.seconds)) != nil
        && crypto.X509_set_pubkey(certificate, key.raw) == 1
        && setName(of: certificate, commonName)
        && extensions(for: purpose).allSatisfy { add($0, to: certificate) }
        && crypto.X509_sign(certificate, key.raw, digest) > 0, to: operation)
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
