package import HTTP
import JOSE
import OAuth

extension ProfileSession {
  /// The thumbprint of the key that tokens are bound to (RFC 7638); `nil` when there is none.
  public func dpopThumbprint() throws(SDKError) -> String? {
    try dpopKeys.load()?.publicKey.thumbprint
  }

  /// Whether tokens are to be bound to a key, by the profile or by what was registered.
  package var bindsTokens: Bool {
    let registration = try? usableRegistration()
    return registration?.bindsTokens(of: profile) ?? profile.bindsTokens
  }

  /// What a request with a bound token carries beside it (RFC 9449 section 7.1).
  ///
  /// Good for one request of that method to that URL, soon after.
  ///
  /// - Returns: the value of the field `DPoP`; `nil` for a token that is bound to no key.
  package func proof(
    for tokens: TokenSet, _ method: HTTPMethod, _ url: HTTPURL
  ) throws(SDKError) -> String? {
    guard let dpop = try dpop(of: tokens) else { return nil }
    do {
      return try dpop.proof(method, url, accessToken: tokens.accessToken)
    } catch {
      throw SDKError(error, "could not use the token of '\(profile.name)'")
    }
  }

  /// What proves the key of a bound token; `nil` for a token that is bound to none.
  func dpop(of tokens: TokenSet) throws(SDKError) -> DPoP? {
    guard tokens.isBound else { return nil }
    guard let key = try dpopKeys.load() else {
      throw SDKError(
        .sessionExpired,
        "could not use the login of '\(profile.name)': the key of its token is gone",
        subject: profile.name.description)
    }
    return DPoP(key: key, nonces: nonces, now: now)
  }

  /// What proves the key of the profile, which is made if there is none.
  func dpop(
    at server: ServerMetadata, _ action: String
  ) async throws(SDKError) -> DPoP {
    let key = try await dpopKey(for: server, action)
    var dpop = DPoP(key: key, nonces: nonces, now: now)
    dpop.isRequired = profile.requiresBoundTokens
    return dpop
  }

  /// Forgets the key; whatever was bound to it is then of no use.
  func removeDPoPKey() async throws(SDKError) {
    try await locked(.dpop) { () throws(SDKError) in try dpopKeys.remove() }
  }

  private func dpopKey(
    for server: ServerMetadata, _ action: String
  ) async throws(SDKError) -> SigningKey {
    if let key = try dpopKeys.load() { return key }
    return try await locked(.dpop) { () throws(SDKError) in
      // Another process may have been faster: what it made it has shown to the server.
      if let key = try dpopKeys.load() { return key }
      let key = try newDPoPKey(for: server, action)
      try dpopKeys.save(key)
      return key
    }
  }

  private func newDPoPKey(
    for server: ServerMetadata, _ action: String
  ) throws(SDKError) -> SigningKey {
    let algorithm: JWSAlgorithm
    do {
      algorithm = try DPoP.algorithm(for: server)
    } catch {
      throw SDKError(error, action)
    }
    do {
      return try SigningKey.generate(algorithm)
    } catch {
      throw SDKError(.unavailable, "\(action): no key pair could be made: \(error.message)")
    }
  }

  private var dpopKeys: DPoPKeyStore {
    DPoPKeyStore(store.location, profile.name, issuer: profile.issuer?.text ?? "")
  }
}
