import COpenSSL
package import Primitives

/// Orders certificates from a leaf to its authorities.
package enum CertificatePath {
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
    while let last = chain.last, !last.isSelfSigned,
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

  package var isNamed: Bool { hasSubject || alternativeNamesDER != nil }

  private var hasSubject: Bool {
    crypto.X509_NAME_entry_count(crypto.X509_get_subject_name(raw)) > 0
  }

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

/// What the issuer of a certificate says about its revocation (RFC 6960), as a server sent it along.
package struct RevocationStatus: Sendable, Hashable {
  /// The result of reading a response.
  package enum State: Sendable, Hashable {
    /// Not revoked.
    case good
    /// Revoked at a time, for a reason if one was given.
    case revoked(Timestamp?, reason: String?)
    /// The issuer does not know the certificate.
    case unknown
    /// The response cannot be used; the text says why.
    case invalid(String)
  }

  package let state: State
  /// When the response was made; `nil` if it cannot be used.
  package let updated: Timestamp?
  /// When a newer response comes; `nil` if that is not known.
  package let next: Timestamp?

  /// Verifies a response in DER by the path that a handshake has validated, leaf first.
  package init(_ response: [UInt8], of path: [Certificate]) {
    let stack = copenssl_certificate_list()
    defer { copenssl_free_certificates(stack) }
    for certificate in path { _ = copenssl_append_certificate(stack, certificate.raw) }
    var times = copenssl_ocsp_times(updated: 0, next: 0, revoked: 0, reason: -1)
    let result = copenssl_ocsp_status(response, response.count, stack, &times)
    self.init(Self.state(result, times), times)
  }

  private init(_ state: State, _ times: copenssl_ocsp_times?) {
    self.state = state
    updated = times.flatMap { Self.time($0.updated) }
    next = times.flatMap { Self.time($0.next) }
  }

  private static func time(_ seconds: Int64) -> Timestamp? {
    seconds == 0 ? nil : Timestamp(seconds)
  }

  private static func state(_ result: copenssl_ocsp_state, _ times: copenssl_ocsp_times) -> State {
    switch result {
    case COPENSSL_OCSP_GOOD: .good
    case COPENSSL_OCSP_REVOKED:
      .revoked(time(times.revoked), reason: reasons[times.reason])
    case COPENSSL_OCSP_UNKNOWN: .unknown
    case COPENSSL_OCSP_REFUSED: .invalid("the responder returned an error")
    case COPENSSL_OCSP_UNVERIFIED: .invalid("neither the issuer nor its responder signed it")
    case COPENSSL_OCSP_OTHER_CERTIFICATE: .invalid("it is about another certificate")
    case COPENSSL_OCSP_OUTDATED: .invalid("it is outdated")
    default: .invalid("it cannot be read")
    }
  }

  /// RFC 5280 section 5.3.1.
  private static let reasons: [Int32: String] = [
    0: "unspecified", 1: "keyCompromise", 2: "cACompromise", 3: "affiliationChanged",
    4: "superseded", 5: "cessationOfOperation", 6: "certificateHold", 8: "removeFromCRL",
    9: "privilegeWithdrawn", 10: "aACompromise",
  ]
}
