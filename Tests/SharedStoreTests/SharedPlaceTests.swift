import CoreTestSupport

@testable import SDKCore
@testable import SharedStore

/// What one process does in a shared place, over a store in memory.
@Suite("Shared place")
struct SharedPlaceTests {
  let folder: TemporaryFolder
  let store = MemoryStore()
  let name: ProfileName
  let key: StoreKey
  let path = ProfileFile.tokens(.user).path(of: .standard)
  let slot: JSONObject = ["accessToken": "a", "refreshToken": "r", "obtained": 100, "expires": 200]

  init() async throws {
    folder = try TemporaryFolder()
    name = try ProfileName("work")
    key = try StoreKey([UInt8](repeating: 7, count: 32))
    let profiles = ProfileStore(StoreLocation(home: folder.path))
    try await profiles.add(
      Profile(
        name: name, members: ["issuer": "https://id.test", "resourceURL": "https://api.test"]))
    var keys = try StoreKeys(of: name, at: profiles.location)
    keys.add(key)
    try keys.write(of: name, at: profiles.location)
  }

  var profiles: ProfileStore {
    profiles(in: folder.path)
  }

  func profiles(in home: String) -> ProfileStore {
    let sharing = StoreSharing { [store] in EtcdPlaces($0, keysIn: store).place }
    return ProfileStore(
      StoreLocation(home: home), sharing: sharing, over: .scripted(FakeTransport([:])),
      now: { 150 })
  }

  /// What a process sees; each has one of its own.
  func place(_ machine: String = "one") throws -> SharedPlace {
    var entry = PlaceDocument.Entry()
    entry.place = .shared(address)
    entry.id = machine
    return try #require(try profiles.secretDocuments(of: name).place(entry) as? SharedPlace)
  }

  let address = "etcd:https://etcd.test/p"

  func locked(
    _ place: SharedPlace, waiting time: Duration = .seconds(5), mustRun: Bool = false,
    _ body: (Presentation) async throws(SDKError) -> Void
  ) async throws(SDKError) {
    try await profiles.holding(.user, of: name) { () async throws(SDKError) in
      try await place.locked(
        path, waiting: time, mustRun: mustRun,
        unless: { () async throws(SDKError) -> Void? in nil }, body)
    }
  }

  /// Writes members, or those of the slot, under the lock, and does more before it is freed.
  func write(
    _ members: JSONObject? = nil, at place: SharedPlace, then more: () async -> Void = {}
  ) async throws(SDKError) {
    try await locked(place) { (_) async throws(SDKError) in
      try await place.write(members ?? slot, to: path)
      await more()
    }
  }

  /// Puts a document into the store as another machine does; `nil` is one that was removed.
  func put(
    _ members: JSONObject?, at path: String? = nil, counter: Int64 = 1, under key: StoreKey? = nil
  ) async throws {
    let name = SharedSnapshot.valueKey(path ?? self.path, "p")
    await store.set(
      name,
      try EncryptedDocument.seal(members, as: name, counter: counter, with: key ?? self.key))
  }

  /// Takes what the store has, as a process that needs the lock.
  func seen(by place: SharedPlace) async throws(SDKError) -> JSONObject? {
    try await locked(place) { (_) async throws(SDKError) in }
    return try await place.read(path)
  }

  func moved() async throws {
    try await profiles.move(secretsOf: name, to: .shared(address))
  }

  @Test("reads what the machine keeps without a request, and keeps nothing in clear")
  func copy() async throws {
    let place = try place()
    try await write(at: place)
    let seen = await store.calls.count
    #expect(try await self.place().read(path) == slot.merging(["version": 2]) { $1 })
    #expect(await store.calls.count == seen)
    #expect(try await !place.take(path, place.load(path)), "nothing is written again")
    let file = try folder.text(of: "state/profiles/work/shared/one/\(path).json")
    for secret in ["\"a\"", "\"r\"", "refreshToken"] { #expect(!file.contains(secret)) }
  }

  @Test(
    "neither reads nor writes what names a program or a file of one machine",
    arguments: [
      ["assertion": ["command": "/bin/touch /tmp/x"]], ["assertion": ["file": "/etc/passwd"]],
      ["keys": ["a": ["key": ["uri": "pkcs11:object=a?module-path=/x.so"]]]],
      ["key": ["uri": "PKCS11:object=a?module-path=/x.so"]],
    ] as [JSONObject])
  func localReferences(members: JSONObject) async throws {
    let (place, registration) = (try place(), "registration")
    await #expect(throws: SDKError.self) { try await place.write(members, to: registration) }
    // A machine that left, or an older program, has written it.
    try await put(members, at: registration)
    try await locked(place) { (_) async throws(SDKError) in }
    let error = await expect(.untrusted) { try await place.read(registration) }
    #expect(error?.message.contains("names something of one machine") == true)
  }

  @Test("reads under a lock what was written under it, and stores it once")
  func pending() async throws {
    let (place, path, slot) = (try place(), path, slot)
    try await locked(place) { (_) async throws(SDKError) in
      try await place.write(slot, to: path)
      #expect(try await place.read(path)?["accessToken"] == "a")
      #expect(await store.calls.filter { $0 == "commit" }.count == 1, "the lock alone")
    }
    #expect(await store.calls == ["read", "grant", "commit", "commit"])
    #expect(await !store.content.values.keys.contains { $0.hasSuffix("/lock") })
    #expect(try await seen(by: self.place("two"))?["accessToken"] == "a")
  }

  @Test("is not locked if another process has done what is to be done")
  func done() async throws {
    let value = try await place().locked(
      path, waiting: .seconds(5), mustRun: false, unless: { () async throws(SDKError) -> Int? in 7 }
    ) { (_) async throws(SDKError) -> Int in 8 }
    #expect(value == 7)
    #expect(await store.calls.isEmpty)
  }

  @Test("gives up the wait for a lock that another machine holds, and names it")
  func busy() async throws {
    await store.set("p/\(path)/lock", Array("host-b, process 7".utf8), lease: 99)
    let place = try place()
    for (time, mustRun, isLast) in [
      (Duration.zero, true, false), (.milliseconds(30), false, false),
      (.milliseconds(30), false, true),
    ] {
      if isLast { await store.endWithWait() }
      let error = await expect(.busy) {
        try await locked(place, waiting: time, mustRun: mustRun) { (_) async throws(SDKError) in }
      }
      #expect(error?.message.contains("host-b, process 7 holds it") == true)
      #expect(await store.calls.contains("changes") == (time > .zero))
    }
    #expect(await !store.calls.contains("commit"))
  }

  @Test("counts as stored what is there, whatever the answer to a repeated request says")
  func repeated() async throws {
    let place = try place()
    try await write(at: place) { await store.deny(2) }
    #expect(try await place.files.load(path).state == .stored)
    #expect(try await seen(by: self.place("two"))?["accessToken"] == "a")
  }

  /// The lease lives, so nobody but this process has freed its lock.
  @Test(
    "counts as stored what another machine has replaced before the answer to a repeated request came",
    arguments: [true, false])
  func overtaken(livesLease: Bool) async throws {
    let place = try place()
    let name = SharedSnapshot.valueKey(path, "p")
    let other = try EncryptedDocument.seal(["accessToken": "b"], as: name, counter: 5, with: key)
    func overtake() async throws {
      try await write(at: place) {
        await store.deny(1)
        await store.overtake(name, other)
        if !livesLease { await store.endLeases() }
      }
    }
    if livesLease {
      try await overtake()
    } else {
      await expect(.changedElsewhere) { try await overtake() }
    }
    #expect(try await place.read(path)?["accessToken"] == "b")
  }

  @Test("drops what it has written if the lock was lost and the document changed")
  func lost() async throws {
    let place = try place()
    let name = SharedSnapshot.valueKey(path, "p")
    let other = try EncryptedDocument.seal(["accessToken": "b"], as: name, counter: 5, with: key)
    await expect(.changedElsewhere) { try await write(at: place) { await store.set(name, other) } }
    #expect(try await place.read(path)?["accessToken"] == "b")
  }

  @Test("presents no refresh token after its lock was lost")
  func lostBefore() async throws {
    let path = path
    await expect(.busy) {
      try await locked(try place()) { (presentation) async throws(SDKError) in
        await store.drop("p/\(path)/lock")
        _ = try await presentation.confirm("r")
      }
    }
  }

  @Test("keeps what it has if what was read before is older")
  func overtakenRead() async throws {
    let place = try place()
    try await put(slot, counter: 5)
    let before = try await place.load(path)
    try await put(slot, counter: 6)
    try await place.take(try await place.load(path), holding: [])
    try await place.take(before, holding: [])
    #expect(try await place.files.load(path).refusal == nil)
    #expect(try await place.read(path)?["accessToken"] == "a")
  }

  @Test("removes what cannot be read, and takes what takes its place")
  func removal() async throws {
    let place = try place()
    try await place.remove(path)
    #expect(await store.calls.isEmpty)
    await store.set("p/\(path)/value", Array("damaged".utf8))
    await expect(.untrusted) { try await seen(by: self.place()) }
    let path = path
    try await locked(place) { (_) async throws(SDKError) in try await place.remove(path) }
    #expect(try await seen(by: self.place()) == nil)
    #expect(try await seen(by: self.place("two")) == nil)
  }

  @Test("neither takes nor replaces a document of a newer version")
  func newerVersion() async throws {
    let name = SharedSnapshot.valueKey(path, "p")
    let iv = [UInt8](repeating: 1, count: 12)
    let sealed = try AES.seal(
      Array(#"{"version":99}"#.utf8), key: key.bytes, iv: iv,
      additional: JSON.strings(["shared document 1", name, "1", key.id]).serializedBytes())
    let value = JSON.members([
      "version": 1, "counter": 1, "key": .string(key.id), "iv": .string(Base64.encode(iv)),
      "data": .string(Base64.encode(sealed.ciphertext + sealed.tag)),
    ]).serializedBytes()
    await store.set(name, value)
    let place = try place()
    await expect(.storeVersion) { try await seen(by: place) }
    try await place.files.save(SharedFile(value: value), path)
    await expect(.storeVersion) { try await place.read(path) }
  }

  @Test("does not count further than all can")
  func counter() async throws {
    try await put(slot, counter: EncryptedDocument.maximumCounter)
    await expect(.untrusted) { try await write(at: try place()) }
  }

  @Test("publishes nothing over what another machine has stored meanwhile")
  func published() async throws {
    let place = try place()
    try await place.write(slot, to: path)
    try await put(["accessToken": "b"], counter: 5)
    let before = await store.content.values
    await expect(.store) { try await place.publish([path], replacing: false) }
    try await place.publish([path], replacing: true)
    #expect(await store.content.values == before)
    #expect(try await place.read(path)?["accessToken"] == "b")
  }

  @Test("keeps each member of a document")
  func members() async throws {
    let example = StoredExample(
      SharedFile.self,
      ["value": "v", "state": "ahead", "revision": 3, "behind": -2, "refusal": "r"],
      optional: ["refusal"])
    #expect(try await example.mistakes() == [])
  }

  @Test("finds the user of a path; of another path, nobody in particular")
  func users() throws {
    let bob = try UserID("bob")
    #expect(SharedPlace.user(ProfileFile.dpopKey.path(of: bob)) == bob)
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
    let other = profiles(in: folder.file("other"))
    try await other.join(
      try await other.profile(
        at: SharedAddress(address), as: name, by: StoreConnection(), key: key.text))
    #expect(try PayloadDemand(other.location, name).isNoted() == isDemanded)
    let secrets = other.secretDocuments(of: name)
    #expect(try await secrets.read(.registration)?.members["source"] == "given")
  }
}
