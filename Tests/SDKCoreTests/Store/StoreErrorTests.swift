import CoreTestSupport

@testable import SDKCore

/// What cannot be read or removed is an error, unless it is not there.
@Suite("Errors of the store")
struct StoreErrorTests {
  private static let place = "state/profiles/work/place.json"
  private static let settings = "config/profiles/work/profile.json"

  @Test("are not hidden when the profiles are listed")
  func list() async throws {
    let folder = try TemporaryFolder()
    let store = ProfileStore(StoreLocation(home: folder.path))
    #expect(try store.names() == [])
    try folder.write("", to: "config/x")
    try folder.link("config/profiles", to: "config/profiles")
    let error = await expect(.store) { try store.names() }
    #expect(error?.message.hasPrefix("could not list the profiles: ") == true)
  }

  @Test("are not hidden when a document is removed")
  func removal() async throws {
    let world = try World()
    let path = world.location.stateFile("profiles/work/x.json")
    let document = StoreDocument(path: path, secrecy: .secret)
    try document.remove()
    try world.folder.write("", to: "state/profiles/work/x.json/y")
    let error = await expect(.store) { try document.remove() }
    #expect(error?.message.hasPrefix("could not remove '\(path)'") == true)
  }

  @Test(
    "stop the removal of a profile whose files others can change", arguments: [place, settings])
  func exposed(file: String) async throws {
    let world = try World()
    try await world.store("u1")
    if file == Self.place { try world.folder.write(#"{"version":2}"#, to: file) }
    try world.folder.setMode(0o666, of: file)
    await expect(.storePermissions) { try await world.store.remove(world.name) }
    #expect(world.folder.exists(World.userFile) && world.folder.exists(Self.settings))
  }

  @Test("do not stop the removal of a profile whose place cannot be known, but are returned")
  func damaged() async throws {
    let world = try World()
    try world.folder.write(#"{"version":2,"place":"nowhere"}"#, to: Self.place)
    #expect(try await world.store.remove(world.name)?.code == .invalidConfiguration)
    #expect(try world.store.names() == [])
  }

  @Test("are none for what a server has told: what is another's counts as absent")
  func cached() throws {
    let world = try World()
    let path = world.location.stateFile("profiles/work/cached.json")
    let document = CachedDocument(path: path, owner: ["issuer": "https://id.test"])
    document.write(["a": 1])
    #expect(document.read()?["a"] == 1)
    for owner in [["issuer": "https://other.test"], ["issuer": "https://id.test", "client": "b"]] {
      #expect(CachedDocument(path: path, owner: owner).read() == nil)
    }
  }
}
