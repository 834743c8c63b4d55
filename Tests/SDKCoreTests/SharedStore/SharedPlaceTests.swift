import JSON
import Primitives
import TestSupport
import Testing

@testable import SDKCore

/// What one process does in a shared place, over a store in memory.
@Suite("Shared place")
struct SharedPlaceTests {
  let folder: TemporaryFolder
  let store = MemoryStore()
  let name: ProfileName
  let key: StoreKey
  let path = SecretName.tokens(.user).path(of: .standard)
  private let slot: JSONObject = [
    "accessToken": "a", "refreshToken": "r", "obtained": 100, "expires": 200,
  ]

  init() async throws {
    folder = try TemporaryFolder()
    name = try ProfileName("work")
    key = try StoreKey([UInt8](repeating: 7, count: 32))
    let profiles = ProfileStore(StoreLocation(home: folder.path), sharing: nil)
    try await profiles.add(
      Profile(
        name: name, members: ["issuer": "https://id.test", "resourceURL": "https://api.test"]))
    var keys = try StoreKeys(of: name, at: profiles.location)
    keys.add(key)
    try keys.write(of: name, at: profiles.location)
  }

  var profiles: ProfileStore {
    ProfileStore(
      StoreLocation(home: folder.path),
      over: .curl, programs: ["memory": store], now: { 150 })
  }

  func place() throws -> SharedPlace {
    let address = try #require(SharedAddress("program:memory/p"))
    let places = try #require(profiles.places as? NetworkPlaces)
    return try places.shared(address, StoreConnection(), of: name, at: profiles.location)
  }

  private func locked(
    _ place: SharedPlace, waiting time: Duration = .seconds(5),
    _ body: () async throws(SDKError) -> Void
  ) async throws(SDKError) {
    try await place.locked(
      path, waiting: time, unless: { () async throws(SDKError) -> Void? in nil }, body)
  }

  func moved() async throws {
    let address = try #require(SharedAddress("program:memory/p"))
    try await profiles.move(secretsOf: name, to: .shared(address))
  }

  @Test("is the same object for the same profile")
  func same() throws {
    let address = try #require(SharedAddress("program:memory/p"))
    let places = try #require(profiles.places as? NetworkPlaces)
    let found = try (0..<2).map { _ in
      try places.shared(address, StoreConnection(), of: name, at: profiles.location)
    }
    #expect(found[0] === found[1])
  }

  @Test("uses the machine's copy while it is valid, without a request")
  func copy() async throws {
    let place = try place()
    try await place.write(slot, to: path)
    let seen = await store.calls.count
    let kept = try await place.readRecent(path)
    #expect(kept?["accessToken"] == "a" && kept?["refreshToken"] == nil)
    #expect(await store.calls.count == seen)
  }

  @Test(
    "neither reads nor writes what names a program or a file of one machine",
    arguments: [
      ["assertion": ["command": "/bin/touch /tmp/x"]], ["assertion": ["file": "/etc/passwd"]],
      ["keys": ["a": ["key": ["uri": "pkcs11:object=a?module-path=/x.so"]]]],
    ] as [JSONObject])
  func localReferences(members: JSONObject) async throws {
    let (place, registration) = (try place(), "registration")
    await #expect(throws: SDKError.self) { try await place.write(members, to: registration) }
    // A machine that left, or an older program, has written it.
    let name = SharedSnapshot.valueKey(registration, "p")
    await store.set(name, try SealedDocument.seal(members, as: name, counter: 1, with: key))
    let error = await #expect(throws: SDKError.self) {
      // A process of its own: this one knows what it has read.
      _ = try await self.place().read(registration)
    }
    #expect(error?.code == .untrusted, "\(String(describing: error))")
    #expect(error?.message.contains("names something of one machine") == true)
  }

  @Test("reads under a lock what was written under it, and stores it once")
  func pending() async throws {
    let (place, path, slot) = (try place(), path, slot)
    try await locked(place) { () async throws(SDKError) in
      try await place.write(slot, to: path)
      let found = try await place.read(path)
      #expect(found == slot)
      #expect(await store.calls.filter { $0 == "commit" }.count == 1, "the lock alone")
      // A lock within the lock has the same lease, and its end frees that lock alone.
      let other = SecretName.tokens(.implicit).path(of: .standard)
      try await place.locked(
        other, waiting: .seconds(5), unless: { () async throws(SDKError) -> Void? in nil }
      ) { () async throws(SDKError) in
        #expect(await store.content.values.keys.contains("p/\(other)/lock"))
      }
      #expect(await store.calls.filter { $0 == "grant" }.count == 1)
      let names = await store.content.values.keys
      #expect(names.contains("p/\(path)/lock") && !names.contains("p/\(other)/lock"))
    }
    #expect(await !store.content.values.keys.contains { $0.hasSuffix("/lock") })
    #expect(try await place.read(path)?["accessToken"] == "a")
  }

  @Test("is not locked if another process has done what is to be done")
  func done() async throws {
    let value = try await place().locked(
      path, waiting: .seconds(5), unless: { () async throws(SDKError) -> Int? in 7 }
    ) { () async throws(SDKError) -> Int in 8 }
    #expect(value == 7)
    #expect(await store.calls.isEmpty)
  }

  @Test("gives up the wait for a lock that another machine holds, and names it")
  func busy() async throws {
    await store.set("p/\(path)/lock", Array("host-b, process 7".utf8), lease: 99)
    let place = try place()
    for time in [Duration.zero, .milliseconds(30)] {
      let error = await #expect(throws: SDKError.self) {
        try await locked(place, waiting: time) { () async throws(SDKError) in }
      }
      #expect(error?.code == .busy)
      #expect(error?.message.contains("host-b, process 7 holds it") == true)
    }
    #expect(await !store.calls.contains("commit"))
  }

  @Test("counts as stored what is there, whatever the answer to a repeated request says")
  func repeated() async throws {
    let (place, path, slot) = (try place(), path, slot)
    try await locked(place) { () async throws(SDKError) in
      try await place.write(slot, to: path)
      await store.deny(2)
    }
    #expect(try await place.read(path)?["accessToken"] == "a")
  }

  /// The lease lives, so nobody but this process has freed its lock.
  @Test(
    "counts as stored what another machine has replaced before the answer to a repeated request came",
    arguments: [true, false])
  func overtaken(livesLease: Bool) async throws {
    let (place, path, slot, key) = (try place(), path, slot, key)
    let name = SharedSnapshot.valueKey(path, "p")
    let other = try SealedDocument.seal(["accessToken": "b"], as: name, counter: 5, with: key)
    let write = {
      try await locked(place) { () async throws(SDKError) in
        try await place.write(slot, to: path)
        await store.deny(1)
        await store.overtake(name, other)
        if !livesLease { await store.endLeases() }
      }
    }
    if livesLease {
      try await write()
    } else {
      let error = await #expect(throws: SDKError.self) { try await write() }
      #expect(error?.code == .changedElsewhere)
    }
    #expect(try await place.readAgain(path)?["accessToken"] == "b")
  }

  @Test("drops what it has written if the lock was lost and the document changed")
  func lost() async throws {
    let (place, path, slot, key) = (try place(), path, slot, key)
    let error = await #expect(throws: SDKError.self) {
      try await locked(place) { () async throws(SDKError) in
        try await place.write(slot, to: path)
        let name = SharedSnapshot.valueKey(path, "p")
        let other = try SealedDocument.seal(["accessToken": "b"], as: name, counter: 5, with: key)
        await store.set(name, other)
      }
    }
    #expect(error?.code == .changedElsewhere)
    #expect(try await place.readAgain(path)?["accessToken"] == "b")
  }

  @Test("removes what cannot be read, nothing if there is nothing, and reports other errors")
  func removal() async throws {
    let place = try place()
    try await place.remove(path)
    #expect(await !store.calls.contains("commit"))
    await store.set("p/\(path)/value", Array("damaged".utf8))
    let damaged = await #expect(throws: SDKError.self) { try await self.place().read(path) }
    #expect(damaged?.code == .untrusted)
    try await self.place().remove(path)
    #expect(try await self.place().read(path) == nil)
    await store.fail(SDKError(.network, "no node"))
    let error = await #expect(throws: SDKError.self) { try await self.place().remove(path) }
    #expect(error?.code == .network)
  }

  @Test("finds the user of a path; of another path, nobody in particular")
  func users() throws {
    let bob = try UserID("bob")
    #expect(SharedPlace.user(SecretName.dpopKey.path(of: bob)) == bob)
    for path in ["registration", "other/bob/dpop", "users/bob"] {
      #expect(SharedPlace.user(path) == .standard, "\(path)")
    }
  }

  @Test(
    "is joined with the note that the server demands encrypted payloads", arguments: [true, false])
  func joined(isDemanded: Bool) async throws {
    try await RegistrationStore(ProfileSecrets(location: profiles.location, profile: name)).save(
      Registration(
        issuer: "https://id.test", source: .given, obtained: 100,
        client: ["client_id": "a", "payload_encryption": .bool(isDemanded)]))
    try await moved()
    let other = ProfileStore(
      StoreLocation(home: folder.file("other")), over: .curl, programs: ["memory": store],
      now: { 150 })
    let address = try #require(SharedAddress("program:memory/p"))
    try await other.join(
      try await other.profile(at: address, as: name, by: StoreConnection(), key: key.text))
    #expect(try PayloadDemand(other.location, name).isNoted() == isDemanded)
  }

  @Test("that has the secrets of another profile is not overwritten")
  func taken() async throws {
    try await moved()
    let before = await store.content
    let other = try ProfileName("other")
    try await profiles.add(try Profile(name: other))
    var keys = try StoreKeys(of: other, at: profiles.location)
    keys.add(key)
    try keys.write(of: other, at: profiles.location)
    let address = try #require(SharedAddress("program:memory/p"))
    await expect(
      .store,
      "could not move the secrets of 'other': 'program:memory/p' has those of a profile already"
    ) { try await profiles.move(secretsOf: other, to: .shared(address)) }
    let values = await store.content.values.filter { !$0.key.hasSuffix("/lock") }
    #expect(values.mapValues(\.value) == before.values.mapValues(\.value))
    #expect(try profiles.place(of: other).place == .files)
  }

  @Test(
    "gets no secret that only this machine can use",
    arguments: [
      ("sealedRefreshToken", "its refresh token is sealed under a PIN of this machine"),
      ("pinSealed", "its client or its DPoP key is sealed under a PIN of this machine"),
      ("identity", "its client certificate stays on this machine"),
      ("certificate", "its client certificate stays on this machine"),
    ])
  func unshareable(member: String, cause: String) async throws {
    let file = "state/profiles/work/credentials/user.json"
    try folder.write(#"{"version":1,"\#(member)":{}}"#, to: file)
    await expect(.policy, "could not move the secrets of 'work': \(cause)") { try await moved() }
    #expect(try profiles.place(of: name).place == .files)
    #expect(await store.content.values.keys.allSatisfy { $0.hasSuffix("/lock") })
  }

  @Test("is not used after a move back that did not end, and then nothing is to be moved")
  func unfinished() async throws {
    let file = "state/profiles/work/credentials/user.json"
    try folder.write(#"{"version":1,"accessToken":"a","obtained":100}"#, to: file)
    let place = "state/profiles/work/place.json"
    try folder.write(
      #"{"version":1,"place":"files","id":"","other":{"place":"program:memory/p","id":""}}"#,
      to: place)
    #expect(try await profiles.move(secretsOf: name, to: .files))
    #expect(folder.exists(file) && !folder.exists(place))
    #expect(try await !profiles.move(secretsOf: name, to: .files))
    #expect(folder.exists(file))
  }

  @Test("may have tokens of the first user while another one is the current one")
  func firstUser() async throws {
    let bob = try UserID("bob")
    try folder.write("{}", to: "state/profiles/work/users/bob/x")
    try await profiles.setCurrentUser(bob, of: name)
    #expect(try profiles.users(of: name) == [bob])
    try await moved()
    #expect(try profiles.users(of: name) == [.standard, bob])
  }

  @Test("of a profile that does not exist is not known, and nothing is moved")
  func missing() async throws {
    let other = try ProfileName("other")
    await expect(.noProfile, "could not find the profile 'other'") {
      _ = try profiles.place(of: other)
    }
    await expect(.noProfile, "could not find the profile 'other'") {
      try await profiles.move(secretsOf: other, to: .files)
    }
    #expect(!folder.exists("state/profiles/other"))
  }

  @Test("is rotated only as a whole, and refuses profiles that do not exist")
  func rotation() async throws {
    try await moved()
    await store.set("p/\(path)/value", Array("damaged".utf8))
    let damaged = await #expect(throws: SDKError.self) {
      try await profiles.rotateStoreKey(of: name)
    }
    #expect(damaged?.code == .untrusted)
    let (other, text) = (try ProfileName("other"), key.text)
    for attempt in [
      { _ = try profiles.storeKey(of: other) },
      { try await profiles.addStoreKey(text, of: other) },
      { _ = try await profiles.sharedStatus(of: other) },
    ] as [() async throws -> Void] {
      let error = await #expect(throws: SDKError.self) { try await attempt() }
      #expect(error?.code == .noProfile)
    }
  }

  @Test("has keys of 32 bytes")
  func keys() throws {
    let location = profiles.location
    let file = location.stateFile("profiles/work/store-key.json")
    for count in [31, 33] {
      let text = Base64.encode([UInt8](repeating: 7, count: count))
      try StoreDocument(path: file, secrecy: .secret, members: ["keys": .strings([text])]).write()
      let error = #expect(throws: SDKError.self) { try StoreKeys(of: name, at: location) }
      #expect(error?.code == .invalidConfiguration)
      #expect(StoreKey(text: #"{"version":1,"key":"\#(text)"}"#) == nil)
    }
  }
}
