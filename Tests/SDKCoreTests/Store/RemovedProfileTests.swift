import CoreTestSupport

@testable import SDKCore

/// A session that was opened before its profile was removed.
@Suite("A removed profile")
struct RemovedProfileTests {
  @Test("leaves no pins to a profile of its name, however that is made")
  func pins() async throws {
    let world = try await World.loggedIn(exchanges: false)
    let left = "profiles/old/pins.json"
    let name = try ProfileName("old")
    let makes: [(ProfileStore) async throws -> Void] = [
      { try await $0.add(try Profile(name: name, members: ["scope": "x"])) },
      { try await $0.copy(world.name, to: name) },
      { try await $0.add(ProfileExport(settings: ["scope": "x"], pins: nil), as: name) },
    ]
    for make in makes {
      let path = world.location.configFile(left)
      try StoreDocument(path: path, secrecy: .shared, members: ["pins": ["a.test": [:]]]).write()
      try await make(world.store)
      #expect(try StoreDocument.read(path, .shared)?.members["pins"]?["a.test"] == nil)
      try await world.store.remove(name)
    }
  }

  @Test("is not brought back by a session that takes a lock afterwards")
  func afterwards() async throws {
    let world = try await World.loggedIn(exchanges: false)
    let environment = try world.session().environment
    try await world.store.remove(world.name)
    let before = try world.folder.files()
    await expect(.noProfile, "could not find the profile 'work'") {
      try await environment.locked(.user) { () throws(SDKError) -> Void in
        _ = Issue.record("the work was done")
      }
    }
    #expect(try world.folder.files() == before)
    #expect(!world.folder.exists("state/profiles/work"))
  }

  @Test("is not brought back by a session that waited for a lock meanwhile")
  func meanwhile() async throws {
    let world = try await World.loggedIn(exchanges: false)
    let session = try world.session()
    let lock = try await ProfileLock.acquire(.user, of: world.name, at: world.location)
    let steps = SteppedExecutor()
    let waiting = Task(executorPreference: steps) { () -> SDKError? in
      do throws(SDKError) {
        try await session.environment.locked(.user) { () throws(SDKError) -> Void in
          _ = Issue.record("the work was done")
        }
        return nil
      } catch {
        return error
      }
    }
    steps.drain()
    // As `remove` does it: the configuration goes first.
    try world.folder.remove("config/profiles/work")
    lock.release()
    steps.letRun()
    #expect(await waiting.value?.code == .noProfile)
  }
}
