import JOSE
import JSON
import OpenSSL
import Primitives

/// The client certificate of a registration, as the identity `registration` of the profile.
struct ClientIdentities: Sendable {
  private let files: IdentityFiles
  private static let name = ProfileFile.clientIdentity

  init(_ location: StoreLocation, _ profile: ProfileName) {
    files = IdentityFiles(location: location, profile: profile)
  }

  /// The identity that a registration document names; `nil` too if it is gone, or has another chain than the given one.
  func identity(
    _ document: SecretDocument, with chain: ClientCertificateChain? = nil
  ) throws(SDKError) -> Identity? {
    guard let text = document.members["identity"]?.string,
      let identity = try files.stored(try IdentityName(text)),
      chain == nil || identity.chain == chain
    else { return nil }
    return identity
  }

  /// The key by which the client signs; `nil` while it is sealed, or its security token not open.
  static func signingKey(_ identity: Identity, _ document: SecretDocument) -> SigningKey? {
    let algorithm = document.members["keyAlgorithm"]?.string.flatMap(JWSAlgorithm.init(identifier:))
    // Another type of key may have been imported since the registration.
    return (try? signingKey(identity, algorithm)) ?? (try? signingKey(identity, nil))
  }

  static func signingKey(
    _ identity: Identity, _ algorithm: JWSAlgorithm?
  ) throws(JOSEError) -> SigningKey? {
    switch identity.key {
    case .pem(let pem): return try SigningKey(pem: pem, algorithm: algorithm)
    case .securityToken(let uri):
      guard let key = SecurityTokenKeys.opened(uri) else { return nil }
      return try SigningKey(securityToken: key, uri: uri, algorithm: algorithm)
    case .sealed, .passcodeSealed: return nil
    }
  }

  /// Stores the certificate of a registration, and puts its name in place of it into the document.
  ///
  /// - Returns: whether there is one.
  func save(
    _ registration: Registration, _ key: IdentityKey?, naming document: inout SecretDocument
  ) throws(SDKError) -> Bool {
    guard let key, let chain = registration.certificate else { return false }
    let identityName = try IdentityName(Self.name)
    let isMade = registration.source == .dynamic && chain.leaf.isSelfSigned
    let stored = try? files.stored(identityName)
    if stored?.chain != chain || stored?.key != key {
      try files.write(
        try Self.identity(
          chain, key, hosts: stored?.hosts ?? [], origin: isMade ? .selfSigned : .imported,
          at: registration.obtained))
    }
    document.members["identity"] = .string(Self.name)
    document.members["keyAlgorithm"] = registration.key.map { .string($0.algorithm.rawValue) }
    document.members["key"] = nil
    document.members["sealedKey"] = nil
    document.members["certificate"] = nil
    return true
  }

  /// Refuses to replace an identity of that name which no registration has made.
  func requirePlace(_ document: SecretDocument?, _ former: ClientCertificateChain?) throws(SDKError)
  {
    guard document.map(isOwn) != true,
      let stored = try files.stored(try IdentityName(Self.name)), stored.chain != former,
      stored.origin != .selfSigned
    else { return }
    throw SDKError(
      .invalidRequest,
      cause: "the certificate of the client would replace the identity '\(Self.name)', which is "
        + "another one: export it and delete it first", subject: Self.name)
  }

  func remove() throws(SDKError) { try files.erase(try IdentityName(Self.name)) }

  /// Whether the document names the identity of the registration, not one of the person's.
  func isOwn(_ document: SecretDocument) -> Bool {
    sameIdentifier(document.members["identity"]?.string, Self.name)
  }

  static func identity(
    _ chain: ClientCertificateChain, _ key: IdentityKey, hosts: [IdentityHost] = [],
    origin: Identity.Origin = .selfSigned, at obtained: Timestamp
  ) throws(SDKError) -> Identity {
    Identity(
      name: try IdentityName(name), hosts: hosts, chain: chain, key: key, origin: origin,
      obtainedAt: obtained)
  }
}

extension IdentityKey {
  /// The key of a client as an identity has it.
  init(_ key: SigningKey) {
    self = key.securityTokenURI.map { .securityToken(uri: $0) } ?? .pem(key.pem)
  }
}
