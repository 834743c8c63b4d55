import JOSE
import JSON
import OpenSSL
import POSIX
import Primitives

/// The stored registration of a profile: the secret document `registration`.
///
/// A client certificate with its key is an identity of the profile, which the document names.
struct RegistrationStore: Sendable {
  private let secrets: ProfileSecrets
  private let identities: ClientIdentities
  private let seal: UserSeal?

  init(_ secrets: ProfileSecrets, _ seal: UserSeal? = nil) {
    self.secrets = secrets
    self.seal = seal
    identities = ClientIdentities(secrets.location, secrets.profile)
  }

  private func read() async throws(SDKError) -> SecretDocument? {
    guard var document = try await secrets.read(.registration) else { return nil }
    if let seal, seal.isOpen {
      document.members = try seal.unsealed(document.members, of: .registration)
    }
    return document
  }

  private func write(_ document: SecretDocument) async throws(SDKError) {
    let seal = try SealDocument(secrets.profile, at: secrets.location)
    try await secrets.write(
      try seal.sealed(document.members, of: .registration), to: .registration)
  }

  func load() async throws(SDKError) -> Registration? {
    guard let document = try await read() else { return nil }
    let content = document.content
    var registration = try Registration(content)
    if document.members["identity"] != nil, document.members["certificate"] == nil {
      let identity = try identities.identity(document)
      registration.key = identity.flatMap { ClientIdentities.signingKey($0, document) }
      registration.certificate = identity?.chain
    } else {
      let isSealed = document.members["sealedKey"] != nil
      registration.key = try isSealed ? nil : content.optional("key", nil, .object)
      registration.certificate = try certificate(document)
    }
    registration.sealedMembers = Set(
      document.members[ProfileFile.sealedMember]?.object?.map(\.key) ?? [])
    return registration
  }

  func save(
    _ registration: Registration, sealed key: IdentityKey? = nil, as name: IdentityName? = nil
  ) async throws(SDKError) {
    guard !registration.isSealed else {
      throw SDKError(.notAuthenticated, "could not store the registration: it is sealed")
    }
    try PayloadDemand(secrets.location, secrets.profile).note(
      registration.client["payload_encryption"]?.bool == true)
    let stored = try await read()
    let title = try secrets.title(of: .registration)
    var document = stored ?? SecretDocument(title: title, members: [:])
    document.members[ProfileFile.sealedMember] = nil
    registration.write(to: &document.members)
    let hadIdentity = identities.isOwn(document)
    if let name {
      document.members["identity"] = .string(name.description)
      document.members["keyAlgorithm"] = registration.key.map { .string($0.algorithm.rawValue) }
      try await write(document)
      if hadIdentity, !identities.isOwn(document) { try identities.remove() }
      return
    }
    if let chain = registration.certificate,
      let identity = try? identities.identity(document, with: chain),
      identity.key.isElsewhere || !identities.isOwn(document)
    {
      // Its key stays where it is: sealed, in a security token, or in an identity of the person's.
      return try await write(document)
    }
    let plain = registration.key.map { IdentityKey($0) }
    let isSame = registration.certificate.map { $0 == (try? certificate(document)) } ?? false
    let former = isSame ? try? sealedKey(document) : nil
    let key = plain == nil ? former : key ?? plain
    if case .sealed(let sealed) = key {
      document.members["sealedKey"] = .object(sealed.secret.stored)
    } else {
      document.members["key"] = registration.key.map { .object($0.stored) }
      document.members["sealedKey"] = nil
    }
    document.members["certificate"] = registration.certificate.map { .string($0.pem) }
    document.members["identity"] = nil
    // Complete in itself, so that a kill before the next write leaves client and key together.
    try await write(document)
    if try identities.save(registration, key, naming: &document) {
      try await write(document)
    } else if hadIdentity {
      try identities.remove()
    }
  }

  /// Refuses a client certificate that would replace an identity of the person's, and one that only this machine has.
  func requirePlace(for credential: ClientCredential?) async throws(SDKError) {
    guard let credential, credential.certificate != nil else { return }
    guard try !secrets.areShared() else {
      throw SDKError(
        .policy,
        cause: "a client certificate stays on this machine, and others share the registration")
    }
    guard credential.identity == nil else { return }
    let document = try await read()
    try identities.requirePlace(
      document, try document.flatMap { (document) throws(SDKError) in try certificate(document) })
  }

  /// The identity whose key must be opened first; `nil` if the registration has its key.
  func identity(of registration: Registration) async throws(SDKError) -> Identity? {
    guard registration.key == nil, let chain = registration.certificate,
      let document = try await read()
    else { return nil }
    if let sealed = try sealedKey(document) {
      return try ClientIdentities.identity(chain, sealed, at: registration.obtained)
    }
    return try identities.identity(document, with: chain)
  }

  func signingKey(_ identity: Identity) async throws(SDKError) -> SigningKey? {
    guard let document = try await read() else { return nil }
    return ClientIdentities.signingKey(identity, document)
  }

  func proveWritable() async throws(SDKError) -> StagedFile? {
    try await secrets.proveWritable(.registration)
  }

  func remove() async throws(SDKError) {
    let document = try? await read()
    try await secrets.remove(.registration)
    try PayloadDemand(secrets.location, secrets.profile).note(false)
    if let document, identities.isOwn(document) { try identities.remove() }
  }

  /// The sealed key of a registration that a kill kept from becoming an identity.
  private func sealedKey(_ document: SecretDocument) throws(SDKError) -> IdentityKey? {
    let secret: SealedSecret? = try document.content.optional("sealedKey", nil, .object)
    return secret.map { .sealed(SealedIdentityKey($0)) }
  }

  private func certificate(
    _ document: SecretDocument
  ) throws(SDKError) -> ClientCertificateChain? {
    try document.content.optional("certificate", nil, .chain)
  }
}

/// The members without key and certificate, which may be in an identity.
extension Registration: StoredValue {
  package init(_ fields: StoredFields, _ value: Registration?) throws(SDKError) {
    let client = StoredType<JSONObject>(
      "an object with 'client_id'", { $0["client_id"]?.string == nil ? nil : $0.object },
      { .object($0) })
    self.init(
      issuer: try fields.required("issuer", value?.issuer, .text),
      source: try fields.required("source", value?.source, .word),
      obtained: try fields.optional("obtained", value?.obtained, .seconds) ?? 0,
      client: try fields.required("client", value?.client, client),
      encryptionKey: try fields.optional("encryptionKey", value?.encryptionKey, .object))
    let source = StoredType("a source", { AssertionSource(stored: $0) }, { $0.stored })
    // A service that only a later version knows must not hide the registration.
    assertionSource = (try? fields.optional("assertion", value?.assertionSource, source)) ?? nil
    endpoints = try fields.optional("endpoints", value?.endpoints, .endpoints)
  }
}
