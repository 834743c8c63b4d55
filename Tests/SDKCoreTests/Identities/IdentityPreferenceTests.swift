import CoreTestSupport

@testable import SDKCore

@Suite("Which identities stay, and which one is preferred")
struct IdentityPreferenceTests {
  @Test(
    "A valid one is preferred to an expired one, then the one that is valid for longer",
    arguments: [
      ("a.api.test", -60, "*.api.test", 86_400), ("a.api.test", 60, "a.api.test", 600),
    ] as [(String, Int64, String, Int64)], [("a", "b"), ("b", "a")])
  func preferred(
    hosts: (other: String, end: Int64, preferred: String, later: Int64),
    names: (other: String, preferred: String)
  ) async throws {
    let world = try World()
    let store = world.identities()
    try await store.save(
      try TestIdentity.make(names.other, hosts: [hosts.other], lifetime: hosts.end))
    try await store.save(
      try TestIdentity.make(names.preferred, hosts: [hosts.preferred], lifetime: hosts.later))
    let found = try await store.identity(for: "a.api.test", acceptableIssuers: [])
    #expect(found?.name.description == names.preferred)
  }

  @Test("One that a host refuses stays for its patterns, also for one that has the host")
  func patterns() async throws {
    let world = try World()
    let store = world.identities()
    let identity = try TestIdentity.make(
      "one", hosts: ["a.api.test", "*.api.test"], origin: .obtained(by: "test"))
    try await store.save(identity)
    try await store.delete(identity, for: "a.api.test")
    #expect(try store.identity(named: identity.name).hosts.map(\.description) == ["*.api.test"])
    try await store.delete(identity, for: "b.api.test")
    #expect(try store.identity(named: identity.name).hosts.map(\.description) == ["*.api.test"])
  }

  @Test(
    "The file for other programs is removed when the key is sealed: it has the key in the clear")
  func sealed() async throws {
    let world = try World()
    let store = world.identities()
    var identity = try TestIdentity.make("one", hosts: ["api.test"])
    try await store.save(identity)
    let files = IdentityFiles(location: world.location, profile: world.name)
    let path = try files.publish(identity)
    let key = try #require(identity.key.pem)
    #expect(try world.folder.text(of: Self.file).contains(key))
    try files.write(identity)
    #expect(world.folder.exists(Self.file))
    identity.key = .sealed(
      try .sealing(key, with: Array("secret".utf8), cost: ScryptCost(n: 16, r: 1, p: 1)))
    try files.write(identity)
    #expect(!world.folder.exists(Self.file), "\(path)")
  }

  private static let file = "state/profiles/work/identities/one/client.pem"

  @Test("A key is not read from a directory that others may change, nor written into one")
  func directory() async throws {
    let world = try World()
    let store = world.identities()
    let identity = try TestIdentity.make("one", hosts: ["api.test"])
    try await store.save(identity)
    let files = IdentityFiles(location: world.location, profile: world.name)
    try world.folder.setMode(0o777, of: "state/profiles/work/identities/one")
    for use in [
      { _ = try store.identity(named: identity.name) }, { _ = try files.publish(identity) },
      { try files.write(identity) },
    ] {
      await expect(.storePermissions) { try use() }
    }
    #expect(!world.folder.exists(Self.file))
  }
}
