import Primitives

/// Enrolment over Secure Transport (RFC 7030).
extension Routes {
  mutating func addEST() {
    get("/.well-known/est/cacerts", .enrol) { exchange in
      try Self.message(exchange.sandbox.enrolment.chain)
    }
    get("/.well-known/est/csrattrs", .enrol) { _ in
      // ecPublicKey with P-256, then the digest to sign with.
      let attributes: [UInt8] = [
        0x30, 0x21, 0x30, 0x15, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x31, 0x0A,
        0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x06, 0x08, 0x2A, 0x86, 0x48,
        0xCE, 0x3D, 0x04, 0x03, 0x02,
      ]
      return Self.base64(attributes, "application/csrattrs")
    }
    post("/.well-known/est/simpleenroll", .enrol) { exchange in
      let enrolment = Enrolment(exchange: exchange, service: "est")
      _ = try enrolment.person()
      return try Self.enrol(enrolment)
    }
    post("/.well-known/est/simplereenroll", .enrol) { exchange in
      let enrolment = Enrolment(exchange: exchange, service: "est")
      if !exchange.showsIdentity { _ = try enrolment.person() }
      return try Self.enrol(enrolment)
    }
  }

  private static func enrol(_ enrolment: Enrolment) throws -> Response {
    let exchange = enrolment.exchange
    let type = exchange.request.headers[.contentType] ?? ""
    guard type.lowercased().hasPrefix("application/pkcs10") else {
      throw OAuthError.invalidRequest("the body must be application/pkcs10")
    }
    let body = try exchange.body(1 << 16)
    let text = String(decoding: body.filter { $0 > 0x20 }, as: UTF8.self)
    guard let der = Base64.decode(text) else {
      throw OAuthError.invalidRequest("the body is not base64")
    }
    return try message(Array(try enrolment.issue(der).prefix(1)))
  }

  private static func message(_ certificates: [Certificate]) throws -> Response {
    base64(PKCS7.encode(certificates), "application/pkcs7-mime; smime-type=certs-only")
  }

  private static func base64(_ bytes: [UInt8], _ type: String) -> Response {
    Response.bytes(Array((Base64.encode(bytes) + "\r\n").utf8), type: type)
      .with(.contentTransferEncoding, "base64")
  }
}

extension Exchange {
  /// Whether the connection has an identity of the enrolment authority that is not revoked.
  var showsIdentity: Bool {
    guard let certificate = connection.certificate?.certificate else { return false }
    return certificate.issuer == sandbox.enrolment.authority.intermediate.subject
      && !sandbox.change { $0.enrolments.isRevoked(certificate) }
  }
}
