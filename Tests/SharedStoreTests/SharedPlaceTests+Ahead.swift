import CoreTestSupport

@testable import SDKCore
@testable import SharedStore

/// What a machine has that the store does not have yet.
extension SharedPlaceTests {
  @Test("keeps what cannot be stored, and the next process stores it before anything else")
  func ahead() async throws {
    let place = try place()
    try await write(at: place) { await store.failCommits(SDKError(.network, "no node")) }
    #expect(try await place.files.load(path).state == .ahead)
    await store.drop("p/\(path)/lock")
    await store.failCommits(nil)
    #expect(try await self.place().read(path)?["accessToken"] == "a")
    #expect(try await place.files.load(path).state == .stored)
    #expect(try await seen(by: self.place("two"))?["accessToken"] == "a")
  }

  @Test("gives way to the login of another machine if both are ahead")
  func twoAhead() async throws {
    let path = path
    for (machine, token) in [("one", "a"), ("two", "b")] {
      try await place(machine).write(
        ["accessToken": .string(token), "refreshToken": "r"], to: path)
    }
    for machine in ["one", "two"] {
      #expect(try await place(machine).read(path)?["accessToken"] == "a", "\(machine)")
    }
  }

  @Test("stores no slot later whose refresh token was cleared, but one that was removed")
  func cleared() async throws {
    try await write(at: place())
    await expect(.network) {
      try await write(["accessToken": "a"], at: place()) {
        await store.failCommits(SDKError(.network, "no node"))
      }
    }
    await store.failCommits(nil)
    await store.drop("p/\(path)/lock")
    #expect(try await seen(by: self.place())?["refreshToken"] == "r")
    let own = try place()
    try await locked(own) { (_) async throws(SDKError) in
      try await own.remove(path)
      await store.failCommits(SDKError(.network, "no node"))
    }
    await store.failCommits(nil)
    await store.drop("p/\(path)/lock")
    #expect(try await seen(by: self.place()) == nil)
    #expect(try await seen(by: self.place("two")) == nil)
  }

  @Test(
    "replaces nothing that it cannot read by what is ahead, and rotates nothing that is refused")
  func newer() async throws {
    let (path, key) = (path, key)
    let name = SharedSnapshot.valueKey(path, "p")
    let place = try place()
    try await place.write(["accessToken": "a", "refreshToken": "r"], to: path)
    let unknown = try StoreKey([UInt8](repeating: 9, count: 32))
    let newer = try EncryptedDocument.seal(
      ["accessToken": "b"], as: name, counter: 6, with: unknown)
    await store.set(name, newer)
    await #expect(throws: SDKError.self) { _ = try await self.place().read(path) }
    #expect(await store.content.values[name]?.value == newer)
    await #expect(throws: SDKError.self) { _ = try await place.encryptAgain(with: key) }
  }

  @Test("presents no refresh token that another machine may have spent, for five minutes")
  func presented() async throws {
    try await write(at: place())
    func present(
      _ machine: String, _ body: (Presentation) async throws(SDKError) -> Void = { _ in }
    )
      async throws
    {
      try await locked(try place(machine)) { (presentation) async throws(SDKError) in
        let limit = try await presentation.confirm("r")
        #expect(limit.map { $0 > .now } == true)
        try await body(presentation)
      }
    }
    try await present("one")
    // Its response is lost: only the machine itself may try again.
    let error = await expect(.busy) { try await present("two") }
    #expect(error?.message.contains("has presented it") == true)
    try await present("one") { $0.noteRefusal() }
    try await present("two")
    // A newer document ends it.
    try await write(["accessToken": "b", "refreshToken": "r"], at: place("two"))
    try await present("one")
  }
}
