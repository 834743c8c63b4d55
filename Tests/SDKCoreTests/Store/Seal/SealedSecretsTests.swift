import CoreTestSupport

@testable import SDKCore

@Suite("Secrets that a passcode seals")
struct SealedSecretsTests {
  private static let registration = "state/profiles/work/registration.json"
  private static let identity = "state/profiles/work/identities/registration/identity.json"

  /// Enters a passcode, and counts how often it is asked for.
  private final class CountingPasscode: PasscodeEntry {
    private let passcode: [UInt8]
    private let asked = Mutex(0)

    init(_ passcode: String) { self.passcode = Array(passcode.utf8) }

    var count: Int { asked.withLock { $0 } }

    func newPasscode(for enrolment: PasscodeEnrolment) -> [UInt8] { passcode }

    func passcode(for verification: PasscodeVerification) -> [UInt8] {
      #expect(LockOrder.held.isEmpty)
      asked.withLock { $0 += 1 }
      return passcode
    }
  }

  private static func sealed(
    _ parts: Set<SealedPart>, in world: World
  ) async throws {
    try await world.session().seal.seal(parts, asking: CountingPasscode("27182"))
  }

  @Test("are asked for once, before a lock is taken")
  func once() async throws {
    let world = try await World.loggedIn(exchanges: false)
    try await Self.sealed([.user, .client], in: world)
    #expect(try !world.folder.text(of: Self.registration).contains("secret-1"))
    let passcode = CountingPasscode("27182")
    world.transport.respond("https://id.test/revoke", .json("{}"))
    let steps = try await world.session(passcode: passcode).registration.deregister()
    #expect(
      steps.contains(LogoutStep(action: .eraseRegistration, outcome: .done)) || !steps.isEmpty)
    #expect(passcode.count == 1)
  }

  @Test("are asked for before the lock of an identity that is renewed")
  func renewed() async throws {
    let world = try World()
    let enrolment = FakeEnrolment()
    let made = try TestIdentity.make("api.test", hosts: ["api.test"])
    try await world.identities().save(made)
    try await Self.sealed([.identity], in: world)
    let passcode = CountingPasscode("27182")
    let service = try world.session(enrolment: enrolment, passcode: passcode).identities
    guard case .renewed(let renewed, _) = try await service.renew(made.name) else {
      throw Unmet("it was not renewed")
    }
    #expect(passcode.count == 1)
    #expect(enrolment.asked.first?.current?.key == made.key)
    #expect(renewed.chain != made.chain)
  }

  @Test("are not asked for under a lock, where they can be used once they are open")
  func locked() async throws {
    let world = try await World.loggedIn(exchanges: false)
    try await Self.sealed([.client], in: world)
    let passcode = CountingPasscode("27182")
    let session = try world.session(passcode: passcode)
    let seal = session.server.records.seal
    func openUnderLock() async throws(SDKError) {
      try await session.environment.locked(.registration) { () async throws(SDKError) in
        try await seal.open()
      }
    }
    await expect(.notAuthenticated) { try await openUnderLock() }
    #expect(passcode.count == 0)
    try await seal.open()
    try await openUnderLock()
  }

  @Test("are known by name while they are sealed, and cannot be written over")
  func described() async throws {
    let world = try World()
    try await world.register(["token_endpoint_auth_method": "client_secret_basic"])
    try await Self.sealed([.client], in: world)
    let session = try world.session()
    let known = try #require(try await session.registration.current())
    #expect(known.isSealed)
    #expect(known.isConfidential)
    #expect(known.authenticationMethod == .basic)
    #expect(known.client["client_secret"] == nil)
    await expect(.notAuthenticated) { try await session.server.records.file.save(known) }
    let open = try await world.session(passcode: CountingPasscode("27182")).server.records
      .openedByPasscode(
        known)
    #expect(open.client["client_secret"] == "secret-1")
  }

  @Test("include the key of a client certificate, which comes back as it was")
  func certificate() async throws {
    let world = try World.mutualTLS()
    _ = try await world.session().registration.register(.certificate())
    let before = try world.folder.text(of: Self.identity)
    try await Self.sealed([.client], in: world)
    #expect(try !world.folder.text(of: Self.identity).contains("PRIVATE KEY"))
    let stored = try world.identities().identity(named: try IdentityName("registration"))
    #expect(stored.key.description == "file sealed under the passcode")
    await #expect(throws: SDKError.self) {
      try await world.session().tokens.valid(for: .anonymous)
    }
    let passcode = CountingPasscode("27182")
    let session = try world.session(passcode: passcode)
    let opened = try await session.server.records.unsealed(
      try await session.server.records.required())
    #expect(opened.clientCertificate != nil)
    #expect(passcode.count == 1)
    try await session.seal.unseal()
    #expect(try world.folder.text(of: Self.identity) == before)
  }

  @Test("are erased after too many wrong passcodes, but not a key with a passphrase of its own")
  func erased() async throws {
    let world = try await World.loggedIn(exchanges: false, ["seal.passcodeAttempts": 1])
    let plain = try TestIdentity.make("plain", hosts: [])
    var own = try TestIdentity.make("own", hosts: [])
    own.key = try await own.key.sealed(with: Array("passphrase".utf8))
    for identity in [plain, own] { try await world.identities().save(identity) }
    let server = try world.session().server
    _ = try await server.dpop.proof(at: try await server.metadata())
    try await Self.sealed([.client, .dpop, .identity], in: world)
    let error = await expect(.sessionExpired) {
      try await world.session(passcode: CountingPasscode("31415")).server.unseal()
    }
    #expect(error?.resource == .userDeregistered)
    let session = try world.session()
    #expect(try await session.registration.current() == nil)
    #expect(try await session.tokens.dpopThumbprint() == nil)
    #expect(try world.identities().names().map(\.description) == ["own"])
    #expect(try await session.tokens.tokens(in: .user) != nil)
    #expect(try !session.seal.hasPasscode())
  }

  @Test("are opened by the passcode after an unsealing that was interrupted, which can go on")
  func interrupted() async throws {
    let world = try await World.loggedIn(exchanges: false)
    try await Self.sealed([.user, .client], in: world)
    let passcode = CountingPasscode("27182")
    try await world.session().tokens.slots.seal.stop()
    let session = try world.session(passcode: passcode)
    try await session.server.records.openByPasscode()
    #expect(try await session.registration.current()?.client["client_secret"] == "secret-1")
    try await world.session(passcode: passcode).seal.unseal()
    #expect(try world.folder.text(of: Self.registration).contains("secret-1"))
    #expect(try await world.session().tokens.tokens(in: .user)?.refreshToken == "refresh-1")
    #expect(try !world.session().seal.hasPasscode())
  }

  @Test("of the profile are sealed by the first user's passcode only")
  func users() async throws {
    let world = try await World.loggedIn(exchanges: false)
    let bob = try world.session(of: try UserID("bob"))
    for part in SealedPart.allCases where part.isOfProfile {
      await expect(.invalidRequest) {
        try await bob.seal.seal([part], asking: CountingPasscode("27182"))
      }
    }
    try await Self.sealed([.user, .client, .dpop], in: world)
    try await world.session().tokens.slots.seal.forgetUser()
    let seal = try world.session().seal
    #expect(try seal.sealedParts() == [.client])
  }

  @Test("are exported with the key that opens them")
  func exported() async throws {
    let world = try await World.loggedIn(exchanges: false)
    try await Self.sealed([.client], in: world)
    let export = try await world.store.export(world.name, .credentials)
    #expect(export.secrets.keys.sorted() == ["registration.json", "seal.json"])
  }

  @Test("are all sealed, and unsealed, but for a damaged file, which is named")
  func damaged() async throws {
    let world = try await World.loggedIn(exchanges: false)
    let made = try TestIdentity.make("api.test", hosts: ["api.test"])
    try await world.identities().save(made)
    _ = try await world.identities().publish(made)
    let (tokens, identities) = (
      "state/profiles/work/credentials/", "state/profiles/work/identities/"
    )
    let bad = [tokens + "implicit.json", identities + "a/request.json"]
    for file in bad { try world.folder.write("{", to: file) }
    let passcode = CountingPasscode("27182")
    let parts = Set(SealedPart.allCases)
    let error = await #expect(throws: SDKError.self) { try await Self.sealed(parts, in: world) }
    #expect(error?.message.contains(bad[0]) == true, "\(String(describing: error))")
    let files = [World.userFile, Self.registration, identities + "api.test/identity.json"]
    for file in files { #expect(try world.folder.text(of: file).contains("\"sealed\"")) }
    #expect(!world.folder.exists(identities + "api.test/client.pem"))
    let session = try world.session(passcode: passcode)
    await #expect(throws: SDKError.self) { try await session.seal.unseal() }
    for file in files { #expect(try !world.folder.text(of: file).contains("\"sealed\"")) }
    #expect(try session.seal.hasPasscode())
    for file in bad { try world.folder.remove(file) }
    try await session.seal.unseal()
    #expect(try !session.seal.hasPasscode())
  }

  @Test("are only the members of the table, and name nothing of the machine")
  func hidden() async throws {
    let world = try await World.loggedIn(exchanges: false)
    try await Self.sealed([.client], in: world)
    let seal = try world.session().tokens.slots.seal.read()
    let passcode = CountingPasscode("27182")
    let before = try world.folder.text(of: Self.registration)
    let hidden: [(member: String, value: JSON)] = [
      ("assertion", ["command": "/bin/touch x"]), ("key", ["uri": "pkcs11:object=a"]),
      ("identity", "a"),
    ]
    for (member, value) in hidden {
      let file = ProfileFile(
        pattern: "registration.json", summary: "", part: .client, secrets: [member])
      var members = try #require(try JSON(parsing: Array(before.utf8)).object)
      members[member] = value
      members = try seal.sealed(members, of: file)
      #expect(members[member] == nil)
      try world.folder.write(JSON.object(members).serialized(), to: Self.registration)
      let error = await #expect(throws: SDKError.self, "\(member)") {
        let session = try world.session(passcode: passcode)
        try await session.server.records.openByPasscode()
        _ = try await session.registration.current()
      }
      #expect(error?.code == .store && error?.message.contains("'\(member)'") == false, "\(member)")
    }
  }
}
