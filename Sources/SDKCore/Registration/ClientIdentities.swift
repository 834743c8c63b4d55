import JOSE
import JSON
import OpenSSL
import Primitives

/// The client certificate of a registration, as the identity `registration` of the profile.
struct ClientIdentities: Sendable {
  /// The client's key pair and its certificate.
  struct Pair {
    var key: SigningKey?
    var certificate: ClientCertificateChain?
  }

  private let store: IdentityStore
  private let name = "registration"

  init(_ location: StoreLocation, _ profile: ProfileName) {
    store = IdentityStore(ProfileStore(location), profile, now: { Timestamp(0) })
  }

  /// The pair that a registration document names; without key if that is sealed, and empty if
  /// the identity is gone.
  func load(_ document: StoreDocument) throws(SDKError) -> Pair {
    guard let text = document.members["identity"]?.string,
      let identity = try store.stored(try IdentityName(text))
    else { return Pair() }
    return Pair(key: Self.signingKey(identity, document), certificate: identity.chain)
  }

  /// The identity of a registration document if it has this chain; `nil` otherwise.
  func identity(
    _ document: StoreDocument, with chain: ClientCertificateChain
  ) throws(SDKError) -> Identity? {
    guard let text = document.members["identity"]?.string,
      let identity = try store.stored(try IdentityName(text)), identity.chain == chain
    else { return nil }
    return identity
  }

  /// The key by which the client signs; `nil` while it is sealed.
  static func signingKey(_ identity: Identity, _ document: StoreDocument) -> SigningKey? {
    guard case .pem(let pem) = identity.key else { return nil }
    let algorithm = document.members["keyAlgorithm"]?.string.flatMap(JWSAlgorithm.init(identifier:))
    // Another type of key may have been imported since the registration.
    return (try? SigningKey(pem: pem, algorithm: algorithm)) ?? (try? SigningKey(pem: pem))
  }

  /// Stores the certificate of a registration, and puts its name in place of it into the document.
  ///
  /// - Returns: whether there is one.
  func save(
    _ registration: Registration, naming document: inout StoreDocument
  ) throws(SDKError) -> Bool {
    guard let key = registration.key, let chain = registration.certificate else { return false }
    let identityName = try IdentityName(name)
    let isMade = registration.source == .dynamic && chain.leaf.isSelfSigned
    let stored = try? store.stored(identityName)
    if stored?.chain != chain || stored?.key != .pem(key.pem) {
      try store.write(
        Identity(
          name: identityName, hosts: stored?.hosts ?? [], chain: chain, key: .pem(key.pem),
          origin: isMade ? .selfSigned : .imported, obtainedAt: registration.obtained))
    }
    document.members["identity"] = .string(name)
    document.members["keyAlgorithm"] = .string(key.algorithm.rawValue)
    document.members["key"] = nil
    document.members["certificate"] = nil
    return true
  }

  /// Removes the identity, if it exists.
  func remove() throws(SDKError) { try store.erase(try IdentityName(name)) }
}
