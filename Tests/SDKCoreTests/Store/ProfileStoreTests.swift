import CoreTestSupport
import Foundation

@testable import SDKCore

@Suite("The lock of all profiles")
struct ProfileStoreLockTests {
  @Test("is waited for before a profile is added, and before one becomes the current one")
  func exclusive() async throws {
    let world = try World()
    let path = world.location.stateFile("profiles.lock").text
    let (store, name) = (world.store, world.name)
    for change in [
      { try await store.setCurrent(nil) },
      { try await store.add(try Profile(name: try ProfileName("new"))) },
    ] as [@Sendable () async throws -> Void] {
      try await store.setCurrent(name)
      guard let held = try FileLock.attempt(path) else {
        Issue.record("the lock is not free")
        return
      }
      let before = (try store.current(), try store.names())
      let task = Task.detached { try await change() }
      try await Task.sleep(for: .milliseconds(60))
      #expect(try store.current() == before.0)
      #expect(try store.names() == before.1)
      held.release()
      try await task.value
      #expect(try (store.current(), store.names()) != before)
    }
  }

  @Test("is waited for without a thread")
  func leavesTheThread() async throws {
    let world = try World()
    let store = world.store
    try await store.setCurrent(world.name)
    let held = HeldLocks()
    let path = world.location.stateFile("profiles.lock").text
    guard let lock = try FileLock.attempt(path) else { throw Unmet("the lock is not free") }
    held.add(lock)
    await TaskThread.run {
      async let change: Void = store.setCurrent(nil)
      // The change has begun on the same thread by then.
      try? await Task.sleep(for: .milliseconds(50))
      held.release()
      do { try await change } catch { Issue.record(error) }
    }
    #expect(try store.current() == nil)
  }
}

@Suite("Profile store")
struct ProfileStoreTests {
  private let folder: TemporaryFolder
  private let store: ProfileStore

  init() throws {
    folder = try TemporaryFolder()
    store = ProfileStore(StoreLocation(home: folder.path))
  }

  @Test("makes the first profile current, and no other")
  func add() async throws {
    #expect(try store.names() == [])
    #expect(try store.current() == nil)
    try await add("b")
    try await add("a")
    #expect(try store.names().map(\.description) == ["a", "b"])
    #expect(try store.current()?.description == "b")
    #expect(store.contains(try ProfileName("a")))
    #expect(!store.contains(try ProfileName("c")))
    #expect(try store.profile(try ProfileName("a"))["issuer"] == "https://a.test")
  }

  @Test("lists only what is named as a profile")
  func strangers() async throws {
    try await add("a")
    try folder.write("", to: "config/profiles/.hidden/profile.json")
    try folder.write("", to: "config/profiles/with space/profile.json")
    #expect(try store.names().map(\.description) == ["a"])
  }

  @Test("finds the one profile of an issuer, whatever its final slash")
  func issuer() async throws {
    try await add("a")
    try await add("b", issuer: "https://shared.test/")
    #expect(try store.name(ofIssuer: "https://a.test/").description == "a")
    #expect(try store.name(ofIssuer: "https://shared.test").description == "b")
    let action = "could not choose a profile by its issuer"
    await expect(.noProfile, "\(action): none has 'https://x.test'") {
      _ = try store.name(ofIssuer: "https://x.test")
    }
    try await add("c", issuer: "https://shared.test")
    await expect(.noProfile, "\(action): several have 'https://shared.test': b, c") {
      _ = try store.name(ofIssuer: "https://shared.test")
    }
  }

  @Test("names the profile that does not exist")
  func missing() async throws {
    try await add("a")
    let before = try folder.files()
    let name = try ProfileName("x")
    let message = "could not find the profile 'x'"
    for attempt in [
      { _ = try store.profile(name) }, { try await store.remove(name) },
      { try await store.copy(name, to: try ProfileName("y")) },
    ] as [() async throws -> Void] {
      let error = await expect(.noProfile, message) { try await attempt() }
      #expect(error?.subject == "x")
    }
    await expect(.noProfile, message) {
      try await store.change(name) { (profile) throws(SDKError) in
        try profile.set("scope", to: "a")
      }
    }
    #expect(try folder.files() == before)
    #expect(!folder.exists("state/profiles/x"))
  }

  @Test("removes a profile with all its files, and then none is current")
  func remove() async throws {
    try await add("a")
    try await add("b")
    try folder.write("{}", to: "state/profiles/a/credentials/user.json")
    try folder.write("{}", to: "state/profiles/b/credentials/user.json")
    try await store.remove(try ProfileName("b"))
    #expect(try store.current()?.description == "a")
    #expect(!folder.exists("state/profiles/b"))
    #expect(folder.exists("state/profiles/a/credentials/user.json"))
    try await store.remove(try ProfileName("a"))
    #expect(try store.current() == nil)
    #expect(try store.names() == [])
    #expect(!folder.exists("state/profiles/a"))
  }

  @Test(
    "removes a profile whose settings are damaged, and tells what was wrong",
    arguments: ["", "{", "[]", #"{"issuer":"https://a.test"}"#])
  func removeDamaged(text: String) async throws {
    try await add("a")
    try folder.write(text, to: "config/profiles/a/profile.json", mode: 0o644)
    try folder.write("{}", to: "state/profiles/a/credentials/user.json")
    let damage = try #require(try await store.remove(try ProfileName("a")))
    #expect(damage.code == .store)
    #expect(damage.message.hasPrefix("could not read '"))
    #expect(try store.names() == [])
    #expect(!folder.exists("state/profiles/a"))
    #expect(try store.current() == nil)
  }

  @Test("changes a profile, and writes nothing when the change fails")
  func change() async throws {
    try await add("a")
    let name = try ProfileName("a")
    try await store.change(name) { (profile) throws(SDKError) in
      try profile.set("scope", to: "openid")
    }
    #expect(try store.profile(name).scope == "openid")
    let before = try folder.text(of: "config/profiles/a/profile.json")
    await expect(
      .invalidConfiguration, "there is no setting 'nope'"
    ) {
      try await store.change(name) { (profile) throws(SDKError) in
        try profile.set("scope", to: "other")
        try profile.set("nope", to: "x")
      }
    }
    // The rule between two keys is checked when all have been set.
    await expect(
      .invalidConfiguration,
      "could not use the value of 'issuer': http is for this machine only, and only with "
        + "insecureLoopback=true"
    ) {
      try await store.change(name) { (profile) throws(SDKError) in
        try profile.set("issuer", to: "http://id.test")
      }
    }
    #expect(try folder.text(of: "config/profiles/a/profile.json") == before)
  }

  @Test("makes parallel changes one after the other")
  func concurrent() async throws {
    try await add("a")
    let name = try ProfileName("a")
    let keys = ["scope", "anonymousScope", "clientID", "caFile", "pinPolicy", "defaultAccess"]
    let values = ["a", "b", "c", "/d", "report", "anonymous"]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (key, value) in zip(keys, values) {
        group.addTask {
          try await store.change(name) { (profile) throws(SDKError) in
            try profile.set(key, to: .string(value))
          }
        }
      }
      try await group.waitForAll()
    }
    let profile = try store.profile(name)
    for (key, value) in zip(keys, values) { #expect(profile[key] == .string(value)) }
  }

  @Test("makes a profile without the files of a former one with that name")
  func oldState() async throws {
    try folder.write("{}", to: "state/profiles/a/credentials/user.json")
    try folder.write("{}", to: "state/profiles/a/registration.json")
    try await add("a")
    #expect(!folder.exists("state/profiles/a"))
  }

  @Test("saves nothing over a profile that cannot be read", arguments: ["{", #"{"version":2}"#])
  func unreadable(text: String) async throws {
    try await add("a")
    let profile = try store.profile(try ProfileName("a"))
    try folder.write(text, to: "config/profiles/a/profile.json")
    #expect(throws: SDKError.self) { try store.save(profile) }
    #expect(try folder.text(of: "config/profiles/a/profile.json") == text)
  }

  @Test("removes a profile together with a name that is not UTF-8, and tokens beside it")
  func notUTF8() async throws {
    try await add("a")
    let directory = "state/profiles/a/credentials"
    try folder.write("{}", to: "\(directory)/user.json")
    let name = Array("\(folder.path)/\(directory)/".utf8) + [0xFF]
    #expect(mkdir(name.map { CChar(bitPattern: $0) } + [0], 0o700) == 0)
    try await store.remove(try ProfileName("a"))
    #expect(!folder.exists("state/profiles/a"))
    #expect(!folder.exists("config/profiles/a"))
  }

  @Test("names the file of an invalid value")
  func invalid() async throws {
    try await add("a")
    let text = #"{"version":1,"redirectPort":"x"}"#
    try folder.write(text, to: "config/profiles/a/profile.json")
    await expect(
      .invalidConfiguration,
      "could not use the value of 'redirectPort': expected a number from 1 to 65535 "
        + "(in '\(folder.path)/config/profiles/a/profile.json')"
    ) { _ = try store.profile(try ProfileName("a")) }
    #expect(try folder.text(of: "config/profiles/a/profile.json") == text)
  }

  @Test(
    "refuses a current profile whose name is not valid",
    arguments: [
      ("7", "'current' is a number, not a string"), ("[]", "'current' is an array, not a string"),
    ])
  func badCurrent(value: String, cause: String) async throws {
    try folder.write(#"{"version":1,"current":\#(value)}"#, to: "config/config.json")
    await expect(
      .invalidConfiguration, "could not read '\(folder.path)/config/config.json': \(cause)"
    ) { _ = try store.current() }
  }

  @Test("chooses the current profile, and knows the aliases")
  func configuration() async throws {
    try folder.write(
      #"{"version":1,"alias":{"me":"fetch /me","bad":7},"current":null}"#, to: "config/config.json")
    #expect(try store.current() == nil)
    #expect(try store.aliases() == ["me": "fetch /me"])
    try await store.setCurrent(try ProfileName("a"))
    #expect(try store.current()?.description == "a")
    #expect(try store.aliases() == ["me": "fetch /me"])
    try await store.setCurrent(nil)
    #expect(try store.current() == nil)
  }

  private func add(_ name: String, issuer: String? = nil) async throws {
    var profile = try Profile(name: try ProfileName(name))
    try profile.set("issuer", to: .string(issuer ?? "https://\(name).test"))
    try await store.add(profile)
  }
}
