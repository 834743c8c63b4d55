import CoreTestSupport
import Foundation
import UAF

@testable import FIDO
@testable import SDKCore

@Suite("The file of an authenticator")
struct AuthenticatorStoreTests {
  /// With a key of alice.
  private let world: World

  init() async throws { world = try await AuthenticatorPasscodeTests.registered() }

  /// Changes what the file has.
  private func change(_ body: (inout JSON) -> Void) throws {
    var document = try JSON(parsing: world.folder.bytes(of: TestAuthenticator.file))
    body(&document)
    try world.folder.write(document.serialized(), to: TestAuthenticator.file)
  }

  /// The counters of a key that is signed with again and again until the process is killed: the file
  /// is never behind what was handed out.
  @Test("never goes back with its counters, whenever the process is killed")
  func killed() async throws {
    let home = world.folder.path
    for round in 0..<8 {
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [home = home as String, round = round as Int] in
        let authenticator = try Self.authenticator(home: home)
        let log = try #require(fopen(home + "/counters", "a"))
        for number in 0... {
          let response = try await authenticator.authenticate()
          fputs("\(response.key.signCounter)\n", log)
          fflush(log)
          guard number == 0 else { continue }
          Thread.detachNewThread {
            usleep(UInt32(1000 + 3700 * round))
            kill(getpid(), SIGKILL)
          }
        }
      }
      // A kill during the trial of a passcode counts as a wrong one; a right one makes up for it.
      let next = try await world.authenticator().authenticate().key.signCounter
      let text = try String(contentsOfFile: home + "/counters", encoding: .utf8)
      let counters = text.split(separator: "\n").compactMap { UInt32($0) } + [next]
      #expect(counters == counters.sorted() && Set(counters).count == counters.count)
      #expect(counters.count >= round + 2)
    }
  }

  @Test("has an attempt before the passcode is tried")
  func attemptFirst() async throws {
    let world = try World()
    _ = try await world.authenticator(cost: ScryptCost(n: 1 << 18, r: 8, p: 1)).enrol()
    let home = world.folder.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [home = home as String] in
      let authenticator = try Self.authenticator(home: home)
      Thread.detachNewThread {
        while (try? authenticator.passcodeStatus()) == .unlocked { usleep(1000) }
        kill(getpid(), SIGKILL)
      }
      try await authenticator.authenticate()
      // The attempt was noticed too late, or not written at all.
      exit(0)
    }
    #expect(
      try world.authenticator().passcodeStatus()
        == .lastAttemptFailed(remainingTries: 4, coolDown: 0))
    #expect(try world.authenticator().keys().map(\.signCounter) == [1])
  }

  @Test("has no attempt of a passcode that could not be tried")
  func untried() async throws {
    try change { $0 = Self.changing($0, ["passcode", "sealed", "n"], to: .int(1 << 40)) }
    await expect(.unavailable) { try await world.authenticator().authenticate() }
    #expect(try world.authenticator().passcodeStatus() == .unlocked)
  }

  @Test("gives each of those who sign at once a counter of its own")
  func atOnce() async throws {
    let counters = try await withThrowingTaskGroup(of: UInt32.self) { group in
      for _ in 0..<6 {
        group.addTask { try await world.authenticator().authenticate().key.signCounter }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counters.sorted() == [2, 3, 4, 5, 6, 7])
    #expect(try world.authenticator().passcodeStatus() == .unlocked)
  }

  @Test("is not written to show the certificate of its attestation")
  func reading() async throws {
    func number() throws -> Int? {
      let path = world.folder.file(TestAuthenticator.file)
      return try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
    }
    let before = try #require(try number())
    _ = try await world.authenticator().attestationCertificate()
    #expect(try number() == before)
  }

  @Test(
    "stays as it is if it is damaged",
    arguments: ["aaid", "registrationCounter", "keys", "passcode"])
  func damaged(member: String) async throws {
    for value in [.int(-1), .string("x"), [1]] as [JSON] {
      try change { $0[member] = value }
      let text = try world.folder.text(of: TestAuthenticator.file)
      let error = await expect(.invalidConfiguration) {
        try await world.authenticator().enrol("bob")
      }
      #expect(error?.message.contains("'\(member)") == true)
      #expect(try world.folder.text(of: TestAuthenticator.file) == text)
    }
  }

  @Test("is refused if it is cut off, if others can read it, or if it is of a newer version")
  func unusable() async throws {
    let text = try world.folder.text(of: TestAuthenticator.file)
    try world.folder.write(String(text.dropLast(20)), to: TestAuthenticator.file)
    await expect(.store) { try world.authenticator().keys() }
    try world.folder.write(text, to: TestAuthenticator.file)
    try change { $0["version"] = 3 }
    await expect(.storeVersion) { try world.authenticator().keys() }
    try world.folder.write(text, to: TestAuthenticator.file)
    try world.folder.setMode(0o644, of: TestAuthenticator.file)
    await expect(.storePermissions) { try world.authenticator().keys() }
  }

  @Test("with strange values or damaged bytes is refused or read, and never ends the process")
  func fuzz() async throws {
    let text = try world.folder.text(of: TestAuthenticator.file)
    let document = try JSON(parsing: text)
    var dice = Dice(state: 3)
    var files = (0..<60).map { _ in
      String(decoding: dice.mutated(Array(text.utf8)), as: UTF8.self)
    }
    for path in [
      ["registrationCounter"], ["pin", "failures"], ["pin", "failedAt"], ["pin", "sealed", "n"],
      ["pin", "sealed", "r"], ["pin", "sealed", "salt"], ["pin", "sealed", "iv"],
      ["keys", "signCounter"], ["keys", "keyID"], ["keys", "key"], ["keys", "createdAt"],
    ] {
      for value in [
        .int(Int64.min), .int(Int64.max), -1, 0, "", .null, [:],
        .string(String(repeating: "A", count: 70_000)),
      ] as [JSON] {
        files.append(Self.changing(document, path, to: value).serialized())
      }
    }
    for file in files {
      try world.folder.write(file, to: TestAuthenticator.file)
      let authenticator = try world.authenticator()
      _ = try? authenticator.passcodeStatus()
      _ = try? await authenticator.authenticate()
      _ = try? await authenticator.changePasscode(
        from: Array("271828".utf8), to: Array("314159".utf8))
    }
    #expect(files.count == 148)
  }

  @Test("keeps what this version does not know")
  func unknownMembers() async throws {
    try change { $0["future"] = "kept" }
    try await world.authenticator().authenticate()
    #expect(try JSON(parsing: world.folder.bytes(of: TestAuthenticator.file))["future"] == "kept")
  }

  @Test("ends its counters with an error, and never begins anew")
  func exhausted() async throws {
    try change { document in
      document["registrationCounter"] = 4_294_967_295
      document = Self.changing(document, ["keys", "signCounter"], to: 4_294_967_295)
    }
    let authenticator = try world.authenticator()
    for operation in [
      { try await authenticator.authenticate() }, { try await authenticator.enrol() },
    ]
      as [() async throws -> AuthenticatorResponse]
    {
      let error = await #expect(throws: SDKError.self) { try await operation() }
      #expect(error?.clientErrorCode == .insufficientAuthenticatorResources)
      #expect(try authenticator.passcodeStatus() == .unlocked, "the passcode was right")
    }
  }

  /// The authenticator of a store that another process has made.
  static func authenticator(home: String) throws -> SoftwareAuthenticator {
    let store = ProfileStore(StoreLocation(home: home))
    let session = try ProfileSession(
      opening: try ProfileName("work"), in: store, transport: FakeTransport([:]))
    return SoftwareAuthenticator(
      session.environment, try TestAuthenticator.settings(),
      securityTokens: session.identities.identityStore, cost: ScryptCost(n: 16, r: 1, p: 1))
  }

  /// The document with another value; of `keys`, in the first one.
  private static func changing(_ document: JSON, _ path: [String], to value: JSON) -> JSON {
    var changed = document
    let rest = Array(path.dropFirst())
    if rest.isEmpty {
      changed[path[0]] = value
    } else if let first = document[path[0]]?.array?.first {
      changed[path[0]] = [changing(first, rest, to: value)]
    } else {
      changed[path[0]] = changing(document[path[0]] ?? [:], rest, to: value)
    }
    return changed
  }
}
