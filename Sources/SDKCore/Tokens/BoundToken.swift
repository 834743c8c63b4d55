public import HTTP
import JOSE
import JSON
package import OAuth
import Primitives

extension TokenService {
  /// The thumbprint of the key that tokens are bound to (RFC 7638); `nil` if there is none.
  ///
  /// - Throws: ``SDKError`` if the stored key cannot be read.
  public func dpopThumbprint() async throws(SDKError) -> String? {
    try await server.dpop.thumbprint()
  }

  /// Whether tokens are bound to a key, by the profile or by the registration.
  public var bindsTokens: Bool {
    get async {
      let registration = try? await records.usable()
      return registration?.bindsTokens(of: profile) ?? profile.bindsTokens
    }
  }

  /// The proof of possession that a request with a bound token carries (RFC 9449 section 7.1).
  ///
  /// Valid for one request with that method to that URL, for a short time.
  ///
  /// - Returns: the value of the field `DPoP`; `nil` for a token that is not bound to a key.
  /// - Throws: ``SDKError`` if the stored key cannot be read or is another one.
  public func proof(
    for tokens: TokenSet, _ method: HTTPMethod, _ url: HTTPURL
  ) async throws(SDKError) -> String? {
    guard let dpop = try await proof(of: tokens) else { return nil }
    do {
      return try dpop.proof(method, url, accessToken: tokens.accessToken)
    } catch {
      throw SDKError(error, "could not use the token of '\(profile.name)'")
    }
  }

  /// What proves the key of a bound token; `nil` for a token that is bound to none.
  package func proof(of tokens: TokenSet) async throws(SDKError) -> DPoP? {
    await tokens.isBound ? try server.dpop.proof() : nil
  }

  /// The certificate that a token is bound to (RFC 8705 section 3).
  ///
  /// Sent with a token that names it, and with an opaque token of a client that was registered for bound tokens.
  func certificate(boundTo token: String) async throws(SDKError) -> ClientCertificate? {
    guard let registration = try await records.usable(), registration.binds(token) else {
      return try await identity(boundTo: token)
    }
    try attempt("could not use the token of '\(profile.name)'") {
      try registration.requireCertificate(at: now(), profile.name)
    }
    return try await records.unsealed(registration).clientCertificate
  }

  /// The slots whose access tokens are bound to the certificate (RFC 8705 section 3.1).
  public func slots(boundTo chain: ClientCertificateChain) async -> [CredentialSlot] {
    var found: [CredentialSlot] = []
    for slot in CredentialSlot.allCases
    where (try? await slots.stored(in: slot))?.isBound(to: chain) == true {
      found.append(slot)
    }
    return found
  }

  private func identity(boundTo token: String) async throws(SDKError) -> ClientCertificate? {
    guard let claims = try? JWT(token).claims, let thumbprint = claims["cnf"]?["x5t#S256"]?.string
    else { return nil }
    let files = IdentityFiles(location: environment.location, profile: profile.name)
    for name in try files.names() {
      guard let identity = try? files.stored(name),
        sameIdentifier(identity.chain.thumbprint, thumbprint)
      else { continue }
      return try await records.openKey(identity).clientCertificate
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
