import COpenSSL
package import Primitives

/// An X.509 certificate.
// @unchecked: the X509 is never changed after init; what libcrypto caches in it, it locks.
package final class Certificate: @unchecked Sendable {
  let raw: OpaquePointer  // <X509>

  /// SHA-256 of the whole certificate: its fingerprint, which is not its pin.
  package let sha256: [UInt8]
  /// SHA-256 of the SubjectPublicKeyInfo: its pin.
  package let keySHA256: [UInt8]
  package let notBefore: Timestamp
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
    try require(crypto.X509_up_ref(certificate) == 1, to: "keep the certificate")
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
  package static func list(
    pem: [UInt8], linesOnly: Bool = false
  ) throws(CryptoError) -> [Certificate] {
    var certificates: [Certificate] = []
    for block in try PEM.blocks(pem, linesOnly: linesOnly)
    where Certificate.labels.contains(block.label) {
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

  static let labels: Set<String> = ["CERTIFICATE", "X509 CERTIFICATE"]

  package var der: [UInt8] { encodeDER { crypto.i2d_X509(raw, $0) } }
  package var pem: String { PEM.encode(der, label: "CERTIFICATE") }

  /// The subject as one line (RFC 2253), safe to show.
  package var subject: String { DistinguishedName.text(of: crypto.X509_get_subject_name(raw)) }
  package var issuer: String { DistinguishedName.text(of: crypto.X509_get_issuer_name(raw)) }

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

  package var uris: [String] {
    alternativeNames(GEN_URI) { VisibleText.of(String(decoding: $0, as: UTF8.self), .bytes) }
  }

  package var emailAddresses: [String] {
    alternativeNames(GEN_EMAIL) { VisibleText.of(String(decoding: $0, as: UTF8.self), .bytes) }
  }

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

  package var spki: [UInt8] { spkiDER(of: raw) }

  package var publicKey: PublicKey {
    get throws(CryptoError) {
      ErrorQueue.clear()
      let key = try require(
        crypto.X509_get_pubkey(raw), to: "read the public key of the certificate")
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

  /// Whether it is for that host, a DNS name or an address, by its alternative names (RFC 9525).
  package func isFor(host: String) -> Bool {
    defer { ErrorQueue.clear() }
    if IPAddress(host) != nil { return crypto.X509_check_ip_asc(raw, host, 0) == 1 }
    let name = host.hasSuffix(".") ? String(host.dropLast()) : host
    return crypto.X509_check_host(
      raw, name, name.utf8.count,
      UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS), nil) == 1
  }

  /// What its key may be used for: the bits of keyUsage, then the purposes of extKeyUsage (RFC 5280 sections 4.2.1.3
  /// and 4.2.1.12); a purpose without a common name is an object identifier.
  package var usages: [String] { keyUsages + purposes }

  /// The algorithm of the issuer's signature, or its object identifier; `nil` if it cannot be read.
  package var signatureAlgorithm: String? {
    guard let parts = DERValue(der)?.children?.dropFirst(),
      let identifier = parts.first?.children?.first?.content
    else { return nil }
    return Self.algorithms[Self.dotted(identifier)] ?? Self.dotted(identifier)
  }

  private var keyUsages: [String] {
    guard let bits = extensionDER(NID_key_usage).flatMap({ DERValue($0) })?.content.dropFirst()
    else {
      return []
    }
    return Self.usageNames.enumerated().filter { index, _ in
      let byte = bits.dropFirst(index / 8).first ?? 0
      return byte & (0x80 >> UInt8(index % 8)) != 0
    }.map(\.element)
  }

  private var purposes: [String] {
    let values = extensionDER(NID_ext_key_usage).flatMap { DERValue($0)?.children } ?? []
    return values.map { Self.dotted($0.content) }.map { Self.purposeNames[$0] ?? $0 }
  }

  /// An object identifier in the notation with dots (X.690 section 8.19).
  private static func dotted(_ content: [UInt8]) -> String {
    var numbers: [UInt64] = []
    var number: UInt64 = 0
    for byte in content {
      number = number &<< 7 | UInt64(byte & 0x7F)
      guard byte < 0x80 else { continue }
      if numbers.isEmpty {
        let first = min(number / 40, 2)
        numbers = [first, number - first * 40]
      } else {
        numbers.append(number)
      }
      number = 0
    }
    return numbers.map(String.init).joined(separator: ".")
  }

  private static let usageNames = [
    "digitalSignature", "nonRepudiation", "keyEncipherment", "dataEncipherment", "keyAgreement",
    "keyCertSign", "cRLSign", "encipherOnly", "decipherOnly",
  ]

  private static let purposeNames = [
    "1.3.6.1.5.5.7.3.1": "serverAuth", "1.3.6.1.5.5.7.3.2": "clientAuth",
    "1.3.6.1.5.5.7.3.3": "codeSigning", "1.3.6.1.5.5.7.3.4": "emailProtection",
    "1.3.6.1.5.5.7.3.8": "timeStamping", "1.3.6.1.5.5.7.3.9": "OCSPSigning",
    "2.5.29.37.0": "anyExtendedKeyUsage",
  ]

  private static let algorithms = [
    "1.2.840.113549.1.1.5": "RSA with SHA-1", "1.2.840.113549.1.1.10": "RSA-PSS",
    "1.2.840.113549.1.1.11": "RSA with SHA-256", "1.2.840.113549.1.1.12": "RSA with SHA-384",
    "1.2.840.113549.1.1.13": "RSA with SHA-512", "1.2.840.10045.4.3.2": "ECDSA with SHA-256",
    "1.2.840.10045.4.3.3": "ECDSA with SHA-384", "1.2.840.10045.4.3.4": "ECDSA with SHA-512",
    "1.3.101.112": "Ed25519", "1.3.101.113": "Ed448",
  ]
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
