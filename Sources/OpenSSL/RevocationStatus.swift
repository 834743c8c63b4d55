internal import COpenSSL
package import Primitives

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

  /// The result.
  package let state: State
  /// When the response was made; `nil` if it cannot be used.
  package let updated: Timestamp?
  /// When a newer response comes; `nil` if that is not known.
  package let next: Timestamp?

  /// Verifies a response in DER by the path that a handshake has validated, leaf first.
  package init(_ response: [UInt8], of path: [Certificate]) {
    guard let stack = copenssl_certificate_list() else {
      self.init(.invalid("there is no memory"), nil)
      return
    }
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
