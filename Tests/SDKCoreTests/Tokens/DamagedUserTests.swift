import CoreTestSupport

@testable import SDKCore

@Suite("Damaged documents of users")
struct DamagedUserTests {
  private static let users = "state/profiles/work/users"

  @Test("are none of a profile that does not exist: that is an error")
  func missing() async throws {
    let world = try World()
    await expect(.noProfile, "could not find the profile 'other'") {
      _ = try await world.store.damagedUserDocuments(of: try ProfileName("other"))
    }
    #expect(try await world.store.damagedUserDocuments(of: world.name).isEmpty)
  }

  @Test("are not looked for in a directory that others may use")
  func exposed() async throws {
    let world = try World()
    try world.folder.write("{", to: Self.users + "/bob/seal.json")
    let paths = try await world.store.damagedUserDocuments(of: world.name).map(\.path)
    #expect(paths == ["users/bob/seal.json"])
    try world.folder.setMode(0o750, of: Self.users + "/bob")
    #expect(try await world.store.damagedUserDocuments(of: world.name).isEmpty)
  }

  @Test("are those in files, but not those of a former place")
  func damaged() async throws {
    let world = try World()
    try world.folder.write("{", to: World.userFile)
    try world.folder.write("{", to: World.dpopFile)
    try world.folder.write("{", to: Self.users + "/default/dpop.json")
    let damaged = try await world.store.damagedUserDocuments(of: world.name)
    #expect(damaged.map(\.path) == ["credentials/user.json", "dpop.json"])
    try world.folder.write(
      #"{"version":2,"place":"etcd:https://etcd.test/p","id":"one"}"#,
      to: "state/profiles/work/place.json")
    #expect(try await world.store.damagedUserDocuments(of: world.name).isEmpty)
  }
}
