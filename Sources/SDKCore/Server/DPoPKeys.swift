import JOSE
import JSON
import OAuth
import Primitives

/// The key that tokens are bound to (RFC 9449), the secret document `dpop`; proves its possession.
struct DPoPKeys: Sendable {
  let environment: SessionEnvironment
  let nonces: NonceFile
  let seal: UserSeal
  var profile: Profile { environment.profile }

  /// The thumbprint of the key (RFC 7638); `nil` if there is none.
  func thumbprint() async throws(SDKError) -> String? {
    guard let document = try await document() else { return nil }
    if let thumbprint = document.members["thumbprint"]?.string { return thumbprint }
    return try key(document).publicKey.thumbprint
  }

  /// Asks for the passcode if the key is sealed; not under a lock.
  func unseal() async throws(SDKError) {
    if try await document()?.isSealed == true { try await seal.open() }
  }

  func proof() async throws(SDKError) -> DPoP {
    try await unseal()
    guard let key = try await load() else {
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
    try await unseal()
    let key = try await key(for: server)
    var dpop = DPoP(key: key, nonces: nonces, now: environment.clock.now)
    dpop.isRequired = profile.requiresBoundTokens
    return dpop
  }

  /// Forgets the key; tokens that are bound to it can then no longer be used.
  func remove() async throws(SDKError) {
    try await environment.locked(.dpop) { () async throws(SDKError) in
      try await environment.secrets.remove(.dpopKey)
    }
  }

  private func key(
    for server: ServerMetadata
  ) async throws(SDKError) -> SigningKey {
    if let key = try await load() { return key }
    return try await environment.locked(.dpop) { () async throws(SDKError) in
      // Another process may have been faster: what it made it has shown to the server.
      if let key = try await load() { return key }
      let key = try attempt { try SigningKey.generate(try DPoP.algorithm(for: server)) }
      try await save(key)
      return key
    }
  }

  func load() async throws(SDKError) -> SigningKey? {
    try await document().map { (document) throws(SDKError) in try key(document) }
  }

  private func document() async throws(SDKError) -> SecretDocument? {
    guard let document = try await environment.secrets.read(.dpopKey),
      sameIdentifier(document.members["issuer"]?.string, issuer)
    else { return nil }
    return document
  }

  private func key(_ document: SecretDocument) throws(SDKError) -> SigningKey {
    let members =
      document.isSealed ? try seal.unsealed(document.members, of: .dpopKey) : document.members
    return try SigningKey(StoredFields(members, in: document.title))
  }

  func save(_ key: SigningKey) async throws(SDKError) {
    var members = key.stored
    members["thumbprint"] = .string(key.publicKey.thumbprint)
    members["issuer"] = .string(issuer)
    try await environment.secrets.write(
      try seal.read().sealed(members, of: .dpopKey), to: .dpopKey)
  }

  /// Whose tokens the key is for: two servers must not recognise a user by one key.
  private var issuer: String { profile.issuer?.text ?? "" }
}
