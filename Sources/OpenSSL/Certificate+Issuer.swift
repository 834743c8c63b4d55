internal import COpenSSL
internal import Primitives

extension Certificate {
  /// Whether its issuer has one of these names; compared as RFC 5280 section 7.1 says.
  ///
  /// Each name is a DER `Name`, as a server sends it in its certificate request; one that cannot be
  /// read matches nothing.
  package func isIssued(byAnyOf names: [[UInt8]]) -> Bool {
    names.contains { der in
      Self.reading(name: der) {
        crypto.X509_NAME_cmp($0, crypto.X509_get_issuer_name(raw)) == 0
      } ?? false
    }
  }

  /// A DER `Name` as one line (RFC 2253), safe to show; `nil` if it is not one.
  package static func text(ofName der: [UInt8]) -> String? {
    reading(name: der) { DistinguishedName.text(of: $0) }
  }

  private static func reading<Value>(name der: [UInt8], _ body: (OpaquePointer) -> Value) -> Value?
  {
    guard
      let name = try? decodeDER(
        der, as: "name", releasing: { crypto.X509_NAME_free($0) },
        { crypto.d2i_X509_NAME(nil, &$0, $1) })
    else { return nil }
    defer { crypto.X509_NAME_free(name) }
    return body(name)
  }

  /// Whether it names the same as the other: the same subject, or the same alternative names if
  /// neither has a subject.
  ///
  /// Subjects are compared as RFC 5280 section 7.1 says, so that another type of string is no
  /// difference.
  package func namesTheSame(as other: Certificate) -> Bool {
    guard
      crypto.X509_NAME_cmp(
        crypto.X509_get_subject_name(raw), crypto.X509_get_subject_name(other.raw)) == 0
    else {
      return false
    }
    return hasSubject || alternativeNamesDER == other.alternativeNamesDER
  }

  /// Whether it says whom it is for.
  package var isNamed: Bool { hasSubject || alternativeNamesDER != nil }

  private var hasSubject: Bool {
    crypto.X509_NAME_entry_count(crypto.X509_get_subject_name(raw)) > 0
  }

  /// The value of the extension with its alternative names.
  private var alternativeNamesDER: [UInt8]? { extensionDER(NID_subject_alt_name) }

  func extensionDER(_ kind: Int32) -> [UInt8]? {
    guard let value = crypto.X509_EXTENSION_get_data(copenssl_extension(raw, kind)) else {
      return nil
    }
    return Array(
      UnsafeBufferPointer(
        start: crypto.ASN1_STRING_get0_data(value), count: Int(crypto.ASN1_STRING_length(value))))
  }

  /// Where it says that the certificate of its issuer is (RFC 5280 section 4.2.2.1), safe to show.
  package var issuerAddress: String? {
    let descriptions = extensionDER(NID_info_access).flatMap { DERValue($0)?.children } ?? []
    for parts in descriptions.lazy.compactMap(\.children)
    where parts.count == 2 && parts[0].content == Self.issuersAccess && parts[1].tag == 0x86 {
      return VisibleText.of(String(decoding: parts[1].content, as: UTF8.self), .bytes, limit: 200)
    }
    return nil
  }

  /// The object identifier id-ad-caIssuers.
  private static let issuersAccess: [UInt8] = [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x30, 0x02]

  /// Whether the other certificate's name is its issuer, and the other's key made its signature.
  package func isIssued(by issuer: Certificate) -> Bool {
    defer { ErrorQueue.clear() }
    guard
      crypto.X509_NAME_cmp(
        crypto.X509_get_subject_name(issuer.raw), crypto.X509_get_issuer_name(raw)) == 0,
      let key = crypto.X509_get0_pubkey(issuer.raw)
    else { return false }
    return crypto.X509_verify(raw, key) == 1
  }
}

extension [Certificate] {
  /// Whether a server with these authorities accepts a client's chain (RFC 8446 section 4.2.4).
  ///
  /// Each authority is a DER `Name`; a server that names none accepts all.
  package func isAccepted(by issuers: [[UInt8]]) -> Bool {
    issuers.isEmpty || contains { $0.isIssued(byAnyOf: issuers) }
  }
}
