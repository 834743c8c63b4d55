import JOSE
import JSON
import OAuth
import Primitives

/// The key that the tokens of a profile are bound to (RFC 9449), in `dpop.json` with mode 0600, and
/// proofs of its possession.
struct DPoPKeys: SessionService {
  let environment: SessionEnvironment
  /// The nonces that servers require in proofs of possession.
  let nonces: NonceFile

  /// The thumbprint of the key (RFC 7638); `nil` if there is none.
  func thumbprint() throws(SDKError) -> String? { try load()?.publicKey.thumbprint }

  /// What proves the key of a token that is bound to it.
  func proof() throws(SDKError) -> DPoP {
    guard let key = try load() else {
      throw SDKError(
        .sessionExpired,
        "could not use the login of '\(profile.name)': the key of its token is gone",
        subject: profile.name.description)
    }
    return DPoP(key: key, nonces: nonces, now: environment.clock.now)
  }

  /// Signs proofs with the key of the profile, which is made if it does not exist.
  func proof(
    at server: ServerMetadata
  ) async throws(SDKError) -> DPoP {
    let key = try await key(for: server)
    var dpop = DPoP(key: key, nonces: nonces, now: environment.clock.now)
    dpop.isRequired = profile.requiresBoundTokens
    return dpop
  }

  /// Forgets the key; tokens that are bound to it can then no longer be used.
  func remove() async throws(SDKError) {
    try await environment.locked(.dpop) { () throws(SDKError) in
      try StoreDocument(path: path, secrecy: .secret).remove()
    }
  }

  private func key(
    for server: ServerMetadata
  ) async throws(SDKError) -> SigningKey {
    if let key = try load() { return key }
    return try await environment.locked(.dpop) { () throws(SDKError) in
      // Another process may have been faster: what it made it has shown to the server.
      if let key = try load() { return key }
      let key = try newKey(for: server)
      try save(key)
      return key
    }
  }

  private func newKey(
    for server: ServerMetadata
  ) throws(SDKError) -> SigningKey {
    let algorithm = try attempt { try DPoP.algorithm(for: server) }
    do {
      return try SigningKey.generate(algorithm)
    } catch {
      throw SDKError(.unavailable, cause: "no key pair could be made: \(error.message)")
    }
  }

  /// The stored key; `nil` if there is none for this issuer.
  func load() throws(SDKError) -> SigningKey? {
    guard let document = try StoreDocument.read(path, .secret),
      sameIdentifier(document.members["issuer"]?.string, issuer)
    else { return nil }
    guard let key = SigningKey(stored: .object(document.members)) else {
      throw SDKError(.invalidConfiguration, "could not read '\(path)': it holds no private key")
    }
    return key
  }

  func save(_ key: SigningKey) throws(SDKError) {
    var members = key.stored
    members["issuer"] = .string(issuer)
    try StoreDocument(path: path, secrecy: .secret, members: members).write()
  }

  private var path: StorePath { environment.userFile("dpop.json") }

  /// Whose tokens the key is for: two servers must not recognise a user by one key.
  private var issuer: String { profile.issuer?.text ?? "" }
}
