internal import COpenSSL
internal import Primitives

/// What a certificate request asks for.
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

extension CertificateRequest {
  /// Makes a certificate request (PKCS #10) that the key signs.
  ///
  /// - Returns: DER.
  package static func make(
    _ content: CertificateRequestContent, signedBy key: PrivateKey
  ) throws(CryptoError) -> [UInt8] {
    let operation = "make the certificate request"
    ErrorQueue.clear()
    let made = content.renewed == nil ? try content.subject.made() : nil
    defer { crypto.X509_NAME_free(made) }
    // Setting a name copies the bytes that it was read from.
    let subjectName = content.renewed.map { crypto.X509_get_subject_name($0.raw) } ?? made
    let names = try generalNames(content)
    defer { crypto.GENERAL_NAMES_free(names) }
    guard let request = crypto.X509_REQ_new() else { throw CryptoError(draining: operation) }
    defer { crypto.X509_REQ_free(request) }
    guard crypto.X509_REQ_set_version(request, 0) == 1,
      crypto.X509_REQ_set_subject_name(request, subjectName) == 1,
      crypto.X509_REQ_set_pubkey(request, key.raw) == 1,
      copenssl_request_extensions(
        request, names, content.renewed?.raw, content.isForClient ? 1 : 0) == 1,
      setChallenge(content.challengePassword, of: request),
      crypto.X509_REQ_sign(request, key.raw, key.kind.signsWithDigest ? crypto.EVP_sha256() : nil)
        > 0
    else { throw CryptoError(draining: operation) }
    return encodeDER { crypto.i2d_X509_REQ(request, $0) }
  }

  private static func setChallenge(_ password: String?, of request: OpaquePointer) -> Bool {
    guard let bytes = password.map({ Array($0.utf8) }) else { return true }
    return crypto.X509_REQ_add1_attr_by_NID(
      request, NID_pkcs9_challengePassword, Int32(MBSTRING_UTF8), bytes,
      Int32(clamping: bytes.count)) == 1
  }

  private static func generalNames(
    _ content: CertificateRequestContent
  ) throws(CryptoError) -> OpaquePointer {
    let operation = "make the alternative names"
    guard let names = crypto.GENERAL_NAMES_new() else { throw CryptoError(draining: operation) }
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
    guard reason == nil,
      values.allSatisfy({
        copenssl_append_name(names, $0.type, $0.bytes, Int32(clamping: $0.bytes.count)) == 1
      })
    else {
      crypto.GENERAL_NAMES_free(names)
      throw CryptoError(operation, reasons: [reason ?? "one cannot be used"])
    }
    return names
  }
}
