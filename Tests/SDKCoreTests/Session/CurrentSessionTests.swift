import CoreTestSupport

@testable import SDKCore

@Suite("The session of a program that runs for long")
struct CurrentSessionTests {
  @Test("stays as long as settings and pins are the same")
  func same() async throws {
    let world = try await World.loggedIn(exchanges: false)
    let current = CurrentSession(try world.session(injectedToken: "given"))
    #expect(try current.get().injectedToken == "given")
    try world.set("resourceURL", to: "https://api.test/v2")
    #expect(try current.get().profile.resourceURL?.description == "https://api.test/v2")
    #expect(try current.get().injectedToken == "given")
  }

  @Test("has the pins that are stored")
  func pins() throws {
    let world = try World()
    let current = CurrentSession(try world.session())
    let pin = try #require(Pin("sha256/" + String(repeating: "A", count: 43) + "="))
    let set = PinSet(host: "api.test", keys: [PinnedKey(pin: pin, role: .leaf)])
    let sets = PinSets([try #require(set)])
    try PinStore(world.location, world.name).save(sets)
    #expect(try current.get().pins == sets)
    try PinStore(world.location, world.name).save(PinSets())
    #expect(try current.get().pins == PinSets())
  }

  @Test("is of the same user, whoever is the current one by then")
  func user() async throws {
    let world = try World()
    let alice = try UserID("alice")
    let current = CurrentSession(try world.session(of: alice))
    try world.set("resourceURL", to: "https://api.test/v2")
    #expect(try current.get().userID == alice)
  }

  @Test("fails if the profile is gone or cannot be read")
  func gone() throws {
    let world = try World()
    let current = CurrentSession(try world.session())
    try world.folder.write("{", to: "config/profiles/work/profile.json")
    #expect(throws: SDKError.self) { try current.get() }
  }
}
