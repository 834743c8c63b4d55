import CoreTestSupport

@testable import SDKCore

@Suite("The identities of a profile")
struct IdentityStoreTests {
  private static let directory = "state/profiles/work/identities"
  private static let file = "\(directory)/api.test/identity.json"

  @Test("are files for their owner only, and are read as they were written")
  func kept() async throws {
    let world = try World()
    let identity = try TestIdentity.make("api.test", hosts: ["api.test", "*.api.test"])
    try await world.identities().save(identity)
    #expect(try world.folder.mode(of: Self.file) == 0o600)
    #expect(try world.folder.mode(of: "\(Self.directory)/api.test") == 0o700)
    #expect(try world.identities().identity(named: identity.name) == identity)
    #expect(try world.identities().names() == [identity.name])
  }

  @Test("keep what this version does not know when they are written again")
  func unknownMembers() async throws {
    let world = try World()
    let identity = try TestIdentity.make("api.test", hosts: ["api.test"])
    try await world.identities().save(identity)
    var document = try JSON(parsing: world.folder.bytes(of: Self.file))
    document["future"] = "kept"
    try world.folder.write(document.serialized(.pretty), to: Self.file)
    try await world.identities().save(identity)
    #expect(try JSON(parsing: world.folder.bytes(of: Self.file))["future"] == "kept")
  }

  @Test("that a host did not refuse are not written when others are shown to it again")
  func notRefused() async throws {
    let world = try World()
    let store = world.identities()
    try await store.save(try TestIdentity.make("api.test", hosts: ["api.test"]))
    var refused = try TestIdentity.make("old", hosts: [])
    refused.refusedBy = [try IdentityHost("api.test")]
    try await store.save(refused)
    let other = "\(Self.directory)/old/identity.json"
    let before = [try world.folder.number(of: Self.file), try world.folder.number(of: other)]
    try await store.restore(for: "b.test")
    #expect(try world.folder.number(of: other) == before[1])
    try await store.restore(for: "api.test")
    #expect(try world.folder.number(of: Self.file) == before[0])
    #expect(try world.folder.number(of: other) != before[1])
  }

  @Test("are ready if they can be used now and nobody must be asked")
  func ready() async throws {
    let world = try World()
    let store = world.identities()
    for (name, lifetime) in [("old", -1), ("good", 86_400)] as [(String, Int64)] {
      try await store.save(
        try TestIdentity.make(name, hosts: ["\(name).test"], lifetime: lifetime))
    }
    var sealed = try TestIdentity.make("sealed", hosts: ["sealed.test"])
    sealed.key = try await sealed.key.sealed(with: Array("secret".utf8))
    try await store.save(sealed)
    for (host, name) in [("good.test", "good"), ("old.test", nil), ("sealed.test", nil)] {
      #expect(try await store.readyIdentity(for: host)?.name.description == name)
      #expect(store.names(for: host).count == 1)
    }
  }

  @Test("are refused if others may read the key")
  func permissions() async throws {
    let world = try World()
    let identity = try TestIdentity.make("api.test", hosts: ["api.test"])
    try await world.identities().save(identity)
    try world.folder.setMode(0o644, of: Self.file)
    let error = try #require(throws: SDKError.self) {
      try world.identities().identity(named: identity.name)
    }
    #expect(error.code == .storePermissions)
  }

  @Test("are found by host: the exact name first, then the longest pattern; not by name only")
  func byHost() async throws {
    let world = try World()
    let store = world.identities()
    for (name, hosts) in [
      ("wide", ["*.example.com"]), ("narrow", ["*.b.example.com"]),
      ("exact", ["a.b.example.com", "x.org"]), ("named", []),
    ] {
      try await store.save(try TestIdentity.make(name, hosts: hosts))
    }
    for (host, name) in [
      ("a.b.example.com", "exact"), ("c.b.example.com", "narrow"), ("b.example.com", "wide"),
      ("x.org", "exact"), ("example.com", nil), ("named", nil),
    ] as [(String, String?)] {
      let found = try await store.identity(for: host, acceptableIssuers: [])
      #expect(found?.name.description == name, "\(host)")
    }
  }

  @Test("that have expired are used only if there is no other")
  func expired() async throws {
    let world = try World()
    let store = world.identities()
    let old = try TestIdentity.make("old", hosts: ["api.test"], lifetime: -60)
    try await store.save(old)
    #expect(try await store.identity(for: "api.test", acceptableIssuers: []) == old)
    let pattern = try TestIdentity.make("pattern", hosts: ["*.api.test", "api.test"])
    try await store.save(pattern)
    #expect(try await store.identity(for: "api.test", acceptableIssuers: []) == pattern)
  }

  @Test("are shown only to a server that accepts one of their authorities")
  func issuers() async throws {
    let world = try World()
    let store = world.identities()
    let identity = try TestIdentity.make("api.test", hosts: ["api.test"], commonName: "Ours")
    let other = try TestIdentity.make("other", hosts: ["other.test"], commonName: "Theirs")
    try await store.save(identity)
    let ours = CertificateName.issuer(ofDER: identity.chain.leaf.der)
    let theirs = CertificateName.issuer(ofDER: other.chain.leaf.der)
    for (acceptable, isFound) in [
      ([], true), ([ours], true), ([theirs, ours], true), ([theirs], false), ([[0x30]], false),
    ] as [([[UInt8]], Bool)] {
      let found = try await store.identity(for: "api.test", acceptableIssuers: acceptable)
      #expect((found != nil) == isFound)
    }
  }

  @Test("of other hosts do not matter if they are damaged")
  func damagedOther() async throws {
    let world = try World()
    let store = world.identities()
    try await store.save(try TestIdentity.make("api.test", hosts: ["api.test"]))
    try world.folder.write("{", to: "\(Self.directory)/other.test/identity.json")
    #expect(try await store.identity(for: "api.test", acceptableIssuers: []) != nil)
    await #expect(throws: SDKError.self) {
      try await store.identity(for: "other.test", acceptableIssuers: [])
    }
  }

  @Test("that were obtained are deleted; one that was replaced in the meantime stays")
  func deleted() async throws {
    let world = try World()
    let store = world.identities()
    let service = Identity.Origin.obtained(by: "est")
    let refused = try TestIdentity.make("api.test", hosts: ["api.test"], origin: service)
    let renewed = try TestIdentity.make("api.test", hosts: ["api.test"], origin: service)
    try await store.save(renewed)
    try await store.delete(refused, for: "api.test")
    #expect(try store.names() == [renewed.name])
    try await store.delete(renewed, for: "api.test")
    #expect(try store.names() == [])
    #expect(!world.folder.exists("\(Self.directory)/api.test"))
    try await store.delete(renewed, for: "api.test")
    await expect(.identity) { try await store.remove(renewed.name) }
  }

  @Test("that were obtained, and that one host refuses, stay for their other hosts")
  func refusedByOne() async throws {
    let world = try World()
    let store = world.identities()
    let identity = try TestIdentity.make(
      "alice", hosts: ["a.test", "b.test", "*.example.com"], origin: .obtained(by: "est"))
    try await store.save(identity)
    try await store.delete(identity, for: "a.test")
    #expect(
      try store.identity(named: identity.name).hosts.map(\.description)
        == ["b.test", "*.example.com"])
    // One that is obtained for the host is preferred to a pattern.
    try await store.delete(identity, for: "c.example.com")
    try await store.delete(identity, for: "b.test")
    #expect(try store.identity(named: identity.name).hosts.map(\.description) == ["*.example.com"])
    let own = try TestIdentity.make("bob", hosts: ["a.test"], origin: .obtained(by: "est"))
    try await store.save(own)
    try await store.delete(own, for: "a.test")
    #expect(try store.names() == [identity.name])
  }

  @Test("of a removed profile are not written")
  func removedProfile() async throws {
    let world = try World()
    let store = world.identities()
    try await world.store.remove(world.name)
    let identity = try TestIdentity.make("api.test", hosts: ["api.test"])
    await expect(.noProfile) { try await store.save(identity) }
    #expect(!world.folder.exists(Self.file))
  }

  @Test("that are sealed need the passphrase, and only then")
  func sealed() async throws {
    let world = try World()
    let open = try TestIdentity.make("api.test", hosts: ["api.test"])
    let pem = try #require(open.key.pem)
    var identity = open
    identity.key = .sealed(
      try .sealing(pem, with: Array("correct".utf8), cost: ScryptCost(n: 16, r: 1, p: 1)))
    try await world.identities().save(identity)
    #expect(try !world.folder.text(of: Self.file).contains("PRIVATE KEY"))
    #expect(try world.identities().identity(named: identity.name) == identity)
    let right = world.identities(passphrase: "correct")
    #expect(try await right.identity(for: "api.test", acceptableIssuers: [])?.key == .pem(pem))
    for store in [world.identities(), world.identities(passphrase: "wrong")] {
      await expect(.identity) { try await store.identity(for: "api.test", acceptableIssuers: []) }
    }
  }

  @Test("say nothing of their keys in descriptions")
  func redacted() throws {
    let identity = try TestIdentity.make("api.test", hosts: ["api.test"])
    var text = ""
    dump(identity, to: &text)
    #expect(!(text + "\(identity) \(String(reflecting: identity))").contains("PRIVATE KEY"))
  }
}
