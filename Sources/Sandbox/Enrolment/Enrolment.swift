import Primitives

/// What the enrolment services share.
struct Enrolment: Sendable {
  let exchange: Exchange
  let service: String

  /// Issues an identity for a certificate request, and returns its chain.
  ///
  /// With `name`, the request must be for this common name.
  func issue(_ der: [UInt8], for name: String? = nil) throws -> [Certificate] {
    guard let request = try? CertificateRequest(der: der) else {
      throw OAuthError.invalidRequest("the body is not a certificate request (PKCS #10)")
    }
    let authority = exchange.sandbox.enrolment
    let certificate = try authority.issue(request, now: exchange.now)
    if let name, !CertificateNames.normal(certificate.subject).contains("CN=\(name)") {
      throw OAuthError.invalidRequest("the subject is not that of the attributes")
    }
    exchange.sandbox.change { $0.enrolments.note(certificate, by: service) }
    return [certificate, authority.authority.intermediate]
  }

  /// The person who shows a password or a token; refuses all others.
  func person() throws -> Users.User {
    if let basic = exchange.authorization("Basic"), let pair = Base64.decode(basic) {
      let parts = String(decoding: pair, as: UTF8.self).split(separator: ":", maxSplits: 1)
      if parts.count == 2,
        let user = exchange.sandbox.change({ $0.users.signIn(String(parts[0]), String(parts[1])) })
      {
        return user
      }
    }
    if exchange.authorization("Bearer") != nil || exchange.authorization("DPoP") != nil {
      do {
        let caller = try GatewayCaller(exchange, scope: nil)
        if let user = exchange.sandbox.change({ $0.users.subject(caller.subject) }) { return user }
      } catch is GatewayCaller.Refused {
        throw OAuthError.invalidToken("the access token is not active")
      }
    }
    throw OAuthError(
      "access_denied", "this needs a user name and a password, or a token", status: 401,
      challenge: "Basic realm=\"sandbox enrolment\", Bearer realm=\"sandbox enrolment\"")
  }
}
