import OpenSSL
import Primitives

/// How an identity is imported.
public struct IdentityImportOptions: Sendable {
  /// Its name; `nil` for that of its first host.
  public var name: IdentityName?
  /// The hosts that it is for; empty for those of its certificate request, or else of the profile.
  public var hosts: [IdentityHost] = []
  /// Whether an identity of the same name is replaced.
  public var replaces = false
  /// Whether a certificate is accepted that cannot be used now.
  public var acceptsUnusable = false
  /// The passphrase that the key is sealed with; `nil` leaves it unsealed.
  public var passphrase: [UInt8]?
  /// The URI of the key, if a security token has it (RFC 7512).
  public var keyURI: String?
  /// Certificates that may complete the chain.
  public var authorities: IdentityMaterial?

  /// Makes the options.
  public init() {}
}

extension IdentityService {
  /// Stores an identity of files, or the certificate of a key that was made here.
  ///
  /// - Returns: the identity, and the one that it replaced.
  /// - Throws: ``SDKError``: `invalidRequest` if key and certificate do not belong together, there
  ///   is no key, or the certificate cannot be used.
  public func add(
    _ material: IdentityMaterial, _ options: IdentityImportOptions
  ) async throws(SDKError) -> (identity: Identity, former: Identity?) {
    try await attempt("could not import the identity") {
      let store = store()
      let origin = try await source(of: material, options.keyURI, in: store)
      let chain = try material.chain(
        completedBy: options.authorities?.certificates ?? [], for: origin.publicKey)
      if !options.acceptsUnusable { try Self.requireUsable(chain, at: environment.now()) }
      var hosts = options.hosts.isEmpty ? origin.hosts : options.hosts
      if hosts.isEmpty { hosts = try defaultHosts }
      let name = try IdentityName(options.name ?? origin.name, orOf: hosts)
      let former = try store.files.stored(name)
      if let former, !options.replaces, origin.name != name, former.chain != chain {
        throw SDKError(
          .invalidRequest, cause: "there is an identity of the name '\(name)'",
          subject: name.description)
      }
      let identity = Identity(
        name: name, hosts: hosts, chain: chain,
        key: try await origin.key.sealed(with: options.passphrase),
        // The same certificate again, to be sealed or shown to other hosts, stays what it was.
        origin: former.flatMap { $0.chain == chain ? $0.origin : nil } ?? .imported,
        obtainedAt: environment.now())
      try await store.save(identity)
      if let pending = origin.pending { try await store.removeRequested(pending) }
      return (identity, former)
    }
  }

  /// Refuses a certificate that is not valid then, or that is not for clients.
  static func requireUsable(
    _ chain: ClientCertificateChain, at now: Timestamp
  ) throws(SDKError) {
    if let cause = chain.objection(at: now) { throw SDKError(.invalidRequest, cause: cause) }
  }

  /// The key of the material: its own, or one that waits here for its certificate.
  private func source(
    of material: IdentityMaterial, _ keyURI: String?, in store: IdentityStore
  ) async throws(SDKError) -> KeySource {
    if let keyURI {
      guard !material.hasKey else {
        throw SDKError(.invalidRequest, cause: "there are two private keys")
      }
      let opened = try await store.securityTokenKey(at: try PKCS11URI(securityToken: keyURI))
      guard let publicKey = try? opened.key.publicKey else {
        throw SDKError(.invalidRequest, cause: "the security token does not show the public key")
      }
      return KeySource(key: .securityToken(uri: opened.uri.description), publicKey: publicKey)
    }
    if let key = try material.key {
      guard let publicKey = try? key.publicKey else {
        throw SDKError(.invalidRequest, cause: "the private key cannot be used")
      }
      return KeySource(key: .pem(key.pem), publicKey: publicKey)
    }
    let keys = material.certificates.map(\.spki)
    if let pending = try store.requested(ofAny: keys),
      let publicKey = try? PublicKey(spki: pending.publicKey)
    {
      return KeySource(
        key: pending.key, publicKey: publicKey, name: pending.name, hosts: pending.hosts,
        pending: pending.name)
    }
    for name in try store.names() {
      guard let identity = try? store.files.stored(name), keys.contains(identity.chain.leaf.spki),
        let publicKey = try? identity.chain.leaf.publicKey
      else { continue }
      return KeySource(
        key: identity.key, publicKey: publicKey, name: name, hosts: identity.hosts)
    }
    throw SDKError(
      .invalidRequest,
      cause: "there is no private key, and no key of a certificate request made here fits")
  }
}

private struct KeySource {
  let key: IdentityKey
  let publicKey: PublicKey
  var name: IdentityName?
  var hosts: [IdentityHost] = []
  /// The requested identity that it comes from.
  var pending: IdentityName?
}

extension Identity {
  /// The identity with its key under the passphrase that opened it; unchanged if there was none.
  func sealedAgain() async throws(SDKError) -> Identity {
    var sealed = self
    sealed.key = try await key.sealed(with: passphrase?.bytes)
    sealed.passphrase = nil
    return sealed
  }
}
