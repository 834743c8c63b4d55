import HTTP
import JOSE
import JSON
import OAuth
import Primitives

extension TokenService {
  /// The certificate that a token is bound to (RFC 8705 section 3).
  ///
  /// Sent with a token that names it, and with an opaque token of a client that was registered for
  /// bound tokens.
  ///
  /// - Throws: ``SDKError/Code/identity`` when the certificate has expired.
  func certificate(boundTo token: String) async throws(SDKError) -> ClientCertificate? {
    guard let registration = try records.usable(), registration.binds(token) else {
      return try await identity(boundTo: token)
    }
    try attempt("could not use the token of '\(profile.name)'") {
      try registration.requireCertificate(at: now(), profile.name)
    }
    return try await records.unsealed(registration).clientCertificate
  }

  /// The stored identity that the token names.
  private func identity(boundTo token: String) async throws(SDKError) -> ClientCertificate? {
    guard let claims = try? JWT(token).claims, let thumbprint = claims["cnf"]?["x5t#S256"]?.string
    else { return nil }
    let files = IdentityFiles(location: environment.location, profile: profile.name)
    for name in try files.names() {
      guard let identity = try? files.stored(name),
        sameIdentifier(identity.chain.thumbprint, thumbprint)
      else { continue }
      return try await records.keys.opened(identity).clientCertificate
    }
    return nil
  }
}

extension Registration {
  fileprivate func binds(_ token: String) -> Bool {
    guard method.usesCertificate, let certificate else { return false }
    guard let claims = try? JWT(token).claims else {
      return client[CertificateMetadata.bindsTokens]?.bool ?? false
    }
    return sameIdentifier(claims["cnf"]?["x5t#S256"]?.string, certificate.thumbprint)
  }
}

extension TokenSet {
  /// Whether the access token says that it is bound to the certificate (RFC 8705 section 3.1).
  func isBound(to chain: ClientCertificateChain) -> Bool {
    guard let claims = try? JWT(accessToken).claims else { return false }
    return sameIdentifier(claims["cnf"]?["x5t#S256"]?.string, chain.thumbprint)
  }
}
