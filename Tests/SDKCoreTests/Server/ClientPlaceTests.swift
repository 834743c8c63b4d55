import CoreTestSupport

@testable import SDKCore

@Suite("The place of a client certificate and of sealed keys")
struct ClientPlaceTests {
  private static let passcode = Array("27182".utf8)

  @Test("is free if a registration has made the identity there, or has the same certificate")
  func place() async throws {
    let world = try World()
    let places = ClientIdentities(world.location, world.name)
    let document = SecretDocument(title: "registration", members: [:])
    let own = try TestIdentity.make("registration", hosts: [])
    try places.requirePlace(document, nil)
    try await world.identities().save(own)
    try places.requirePlace(document, own.chain)
    try places.requirePlace(
      SecretDocument(title: "registration", members: ["identity": "registration"]), nil)
    let other = try TestIdentity.make("other", hosts: [])
    for former in [nil, other.chain] {
      await expect(.invalidRequest) { try places.requirePlace(document, former) }
    }
    try await world.identities().remove(own.name)
    try await world.identities().save(
      try TestIdentity.make("registration", hosts: [], origin: .selfSigned))
    try places.requirePlace(document, other.chain)
  }

  @Test("is not needed by a certificate that is an identity of the person's")
  func elsewhere() async throws {
    let world = try World()
    let own = try TestIdentity.make("registration", hosts: [])
    try await world.identities().save(own)
    let other = try TestIdentity.make("other", hosts: [])
    let pem = try #require(other.key.pem)
    var credential = ClientCredential(
      key: try SigningKey(pem: pem, algorithm: nil), certificate: other.chain)
    let store = world.registrations
    let stored = credential
    await expect(.invalidRequest) { try await store.requirePlace(for: stored) }
    credential.identity = other.name
    try await store.requirePlace(for: credential)
  }

  @Test("is not taken by a certificate that is an identity of the person's")
  func named() async throws {
    let world = try World()
    let own = try TestIdentity.make("own", hosts: [])
    try await world.identities().save(own)
    let pem = try #require(own.key.pem)
    let store = world.registrations
    let registration = Registration(
      issuer: "https://id.test", source: .dynamic, obtained: World.now,
      client: ["client_id": "app"], key: try SigningKey(pem: pem, algorithm: nil),
      certificate: own.chain)
    try await store.save(registration, as: own.name)
    #expect(try world.identities().names() == [own.name])
    #expect(try await store.load()?.certificate == own.chain)
    let text = try world.folder.text(of: "state/profiles/work/registration.json")
    #expect(!text.contains("PRIVATE KEY") && !text.contains("CERTIFICATE"))
  }

  @Test("keeps what is sealed as it is while the seal is closed, and its thumbprint is known")
  func closed() async throws {
    let world = try await World.loggedIn(exchanges: false)
    let server = try world.session().server
    _ = try await server.dpop.proof(at: try await server.metadata())
    let thumbprint = try #require(try await world.session().tokens.dpopThumbprint())
    let parts: Set<SealedPart> = [.user, .client, .dpop, .identity]
    try await world.session().seal.seal(parts, asking: KnownPasscode(Self.passcode))
    let before = try world.folder.files()
    #expect(try await world.session().tokens.dpopThumbprint() == thumbprint)
    try await world.session().seal.seal(parts)
    for name in [World.userFile, World.dpopFile, "state/profiles/work/registration.json"] {
      #expect(try world.folder.text(of: name) == before[name])
    }
    await expect(.notAuthenticated) { try await world.session().seal.unseal() }
    try await world.session(passcode: KnownPasscode(Self.passcode)).seal.unseal()
    #expect(try await world.stored()?.refreshToken == "refresh-1")
    #expect(try await world.session().tokens.dpopThumbprint() == thumbprint)
  }
}
