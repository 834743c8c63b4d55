import HTTP
import JOSE
import JSON
import OAuth
import Primitives

extension TokenService {
  /// The certificate without which a token is worth nothing (RFC 8705 section 3).
  ///
  /// It goes along with tokens that are bound to it: those that say so, and, where tokens say
  /// nothing that a client could read, those of a client that was registered to get bound ones.
  ///
  /// - Throws: ``SDKError/Code/identity`` when the certificate has expired.
  func certificate(boundTo token: String) throws(SDKError) -> ClientCertificate? {
    guard let registration = try records.usable(), registration.binds(token) else { return nil }
    do {
      try registration.certificate?.requireValid(at: now(), of: registration, profile.name)
    } catch {
      throw error.during("could not use the token of '\(profile.name)'")
    }
    return registration.clientCertificate
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
