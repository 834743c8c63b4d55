import CoreTestSupport

@testable import SDKCore
@testable import SharedStore

@Suite("Moves to a shared store")
struct SharedMoveTests {
  private let shared: SharedPlaceTests

  init() async throws { shared = try await SharedPlaceTests() }

  @Test("that does not respond changes nothing")
  func silent() async throws {
    await shared.store.fail(SDKError(.network, "no node"))
    await expect(.network) { try await shared.moved() }
    #expect(!shared.folder.exists("state/profiles/work/place.json"))
    #expect(!shared.folder.exists("state/profiles/work/shared"))
  }

  @Test("that has the secrets of another profile is not overwritten")
  func taken() async throws {
    try await shared.moved()
    let before = await shared.store.content
    let other = try ProfileName("other")
    try await shared.profiles.add(try Profile(name: other))
    var keys = try StoreKeys(of: other, at: shared.profiles.location)
    keys.add(shared.key)
    try keys.write(of: other, at: shared.profiles.location)
    let address = shared.address
    await expect(
      .store,
      "could not move the secrets of 'other': 'etcd:https://etcd.test/p' has those of a profile already"
    ) { try await shared.profiles.move(secretsOf: other, to: .shared(address)) }
    let values = await shared.store.content.values.filter { !$0.key.hasSuffix("/lock") }
    #expect(values.mapValues(\.value) == before.values.mapValues(\.value))
    #expect(try shared.profiles.place(of: other).place == .files)
  }

  @Test(
    "gets no secret that only this machine can use",
    arguments: [
      ("sealed", "its secrets are sealed under a passcode of this machine"),
      ("identity", "its client certificate stays on this machine"),
      ("certificate", "its client certificate stays on this machine"),
    ])
  func unshareable(member: String, cause: String) async throws {
    let file = "state/profiles/work/credentials/user.json"
    try shared.folder.write(#"{"version":2,"\#(member)":{}}"#, to: file)
    await expect(.policy, "could not move the secrets of 'work': \(cause)") {
      try await shared.moved()
    }
    #expect(try shared.profiles.place(of: shared.name).place == .files)
    #expect(await shared.store.content.values.keys.allSatisfy { $0.hasSuffix("/lock") })
  }

  @Test("gets no later secret that is sealed", arguments: ["", "users/bob/"])
  func sealedLater(user: String) async throws {
    let key =
      #""key":{"kty":"EC","crv":"P-256","x":"z8DvTkOlXutcqUX-ASEMOlv2U_16jLPdaAawBOFUvXc","#
      + #""y":"lLmd9SKAUrNoFvbdv5ee_fbMwkZedGmAn8y9zg3uoac"},"#
    let passcode =
      #""passcode":{"failures":0,"sealed":{"kdf":"scrypt","cipher":"AES-256-GCM","n":16,"r":1,"p":1,"#
      + #""salt":"","iv":"","ciphertext":"","tag":""}}}"#
    try shared.folder.write(
      #"{"version":2,"parts":["user"],"# + key + passcode,
      to: "state/profiles/work/\(user)seal.json")
    await expect(
      .policy,
      "could not move the secrets of 'work': its secrets are sealed under a passcode of this machine"
    ) { try await shared.moved() }
  }

  @Test("is not used after a move back that did not end, and then nothing is to be moved")
  func unfinished() async throws {
    let file = "state/profiles/work/credentials/user.json"
    try shared.folder.write(#"{"version":2,"accessToken":"a","obtained":100}"#, to: file)
    let place = "state/profiles/work/place.json"
    try shared.folder.write(
      #"{"version":2,"place":"files","id":"","other":{"place":"etcd:https://etcd.test/p","id":"one"}}"#,
      to: place)
    #expect(try await shared.profiles.move(secretsOf: shared.name, to: .files))
    #expect(shared.folder.exists(file) && !shared.folder.exists(place))
    #expect(try await !shared.profiles.move(secretsOf: shared.name, to: .files))
    #expect(shared.folder.exists(file))
  }

  @Test("may have tokens of the first user while another one is the current one")
  func firstUser() async throws {
    let bob = try UserID("bob")
    try shared.folder.write("{}", to: "state/profiles/work/users/bob/x")
    try await shared.profiles.setCurrentUser(bob, of: shared.name)
    #expect(try shared.profiles.users(of: shared.name) == [bob])
    try await shared.moved()
    #expect(try shared.profiles.users(of: shared.name) == [.standard, bob])
  }

  @Test("back takes the logins of users who logged in on other machines")
  func otherUsers() async throws {
    try await shared.moved()
    let bob = try UserID("bob")
    let path = ProfileFile.tokens(.user).path(of: bob)
    try await shared.put(shared.slot, at: path)
    #expect(try shared.profiles.users(of: shared.name) == [.standard])
    try await shared.profiles.move(secretsOf: shared.name, to: .files)
    #expect(try shared.folder.text(of: "state/profiles/work/\(path).json").contains("\"r\""))
    #expect(try shared.profiles.users(of: shared.name).contains(bob))
  }

  @Test("is read at a login of one user where that user's documents are")
  func oneUser() async throws {
    try await shared.moved()
    let (bob, eve) = (try UserID("bob"), try UserID("eve"))
    for user in [bob, eve] {
      try await shared.put(shared.slot, at: ProfileFile.tokens(.user).path(of: user))
    }
    let secrets = shared.profiles.secretDocuments(of: shared.name)
    try await secrets.update(of: bob)
    #expect(try shared.profiles.users(of: shared.name) == [.standard, bob])
    try await secrets.update()
    #expect(try shared.profiles.users(of: shared.name) == [.standard, bob, eve])
  }

  @Test("finds no users of names that anybody can write, and none who were removed")
  func foreignNames() async throws {
    try await shared.moved()
    for path in ["users/eve/x", "users/mallory/credentials/user", "../../../x", "users/../x"] {
      await shared.store.set("p/\(path)/value", Array("{}".utf8))
    }
    try await shared.put(nil, at: ProfileFile.tokens(.user).path(of: try UserID("bob")), counter: 2)
    try await shared.profiles.secretDocuments(of: shared.name).update()
    #expect(try shared.profiles.users(of: shared.name) == [.standard])
    for name in ["p/../x/value", "p/\(shared.path)/other"] {
      await shared.store.set(name, Array("junk".utf8))
    }
    for path in ["users/eve/x", "users/mallory/credentials/user"] {
      await shared.store.drop("p/\(path)/value")
    }
    #expect(try await shared.profiles.rotateStoreKey(of: shared.name).changed == 0)
  }

  @Test(
    "to a place that has a document of another profile is refused, also if its settings are not there"
  )
  func remains() async throws {
    try await shared.put(shared.slot)
    await expect(.store) { try await shared.moved() }
    #expect(await shared.store.content.values.count == 1)
  }

  /// Who can write to the cluster has put back what this machine took under a key that was replaced.
  @Test("that has an old document again is not rotated")
  func replayed() async throws {
    let file = "state/profiles/work/credentials/user.json"
    try shared.folder.write(#"{"version":2,"accessToken":"a","obtained":100}"#, to: file)
    try await shared.moved()
    let name = SharedSnapshot.valueKey(shared.path, "p")
    let old = try #require(await shared.store.content.values[name]?.value)
    let key = try StoreKey([UInt8](repeating: 9, count: 32))
    try await shared.profiles.addStoreKey(key.text, of: shared.name)
    let place = try #require(
      try shared.profiles.secretDocuments(of: shared.name).place(
        PlaceDocument(of: shared.name, at: shared.profiles.location).entry) as? SharedPlace)
    try await place.files.note(key.id)
    await shared.store.set(name, old)
    await expect(.untrusted) { try await shared.profiles.rotateStoreKey(of: shared.name) }
  }

  @Test(
    "of many users is one of several requests, and so is a rotation, also after an interruption")
  func manyUsers() async throws {
    for index in 0..<80 {
      for name in [ProfileFile.tokens(.user), .dpopKey] {
        let file = name.path(of: try UserID("user\(index)"))
        try shared.folder.write(
          #"{"version":2,"accessToken":"a"}"#, to: "state/profiles/work/\(file).json")
      }
    }
    try await shared.moved()
    let key = try StoreKey([UInt8](repeating: 9, count: 32))
    try await shared.profiles.addStoreKey(key.text, of: shared.name)
    let names = await shared.store.content.values.keys.filter { $0.hasSuffix("/value") }.sorted()
    // The first ones of a rotation that was interrupted, which this machine has seen.
    for name in names.prefix(20) {
      let value = try #require(await shared.store.content.values[name]?.value)
      var document = try EncryptedDocument(
        opening: value, as: name, with: StoreKeys(of: shared.name, at: shared.profiles.location))
      await shared.store.set(name, try document.seal(as: name, with: key))
    }
    let rotated = try await shared.profiles.rotateStoreKey(of: shared.name)
    #expect(rotated == (key.id, names.count - 20))
    let status = try #require(try await shared.profiles.sharedStatus(of: shared.name))
    #expect(status.documents?.allSatisfy { $0.key == key.id } == true)
  }

  @Test("of a profile that does not exist is not known, and nothing is moved")
  func missing() async throws {
    let (other, text) = (try ProfileName("other"), shared.key.text)
    for attempt in [
      { _ = try shared.profiles.place(of: other) },
      { _ = try await shared.profiles.move(secretsOf: other, to: .files) },
      { _ = try shared.profiles.storeKey(of: other) },
      { try await shared.profiles.addStoreKey(text, of: other) },
      { _ = try await shared.profiles.sharedStatus(of: other) },
    ] as [() async throws -> Void] {
      await expect(.noProfile, "could not find the profile 'other'") { try await attempt() }
    }
    #expect(!shared.folder.exists("state/profiles/other"))
  }

  @Test("is rotated only as a whole")
  func rotation() async throws {
    try await shared.moved()
    await shared.store.set("p/\(shared.path)/value", Array("damaged".utf8))
    await expect(.untrusted) { try await shared.profiles.rotateStoreKey(of: shared.name) }
  }

  @Test("has keys of 32 bytes")
  func keys() async throws {
    let location = shared.profiles.location
    let file = location.stateFile("profiles/work/store-key.json")
    for count in [31, 33] {
      let text = Base64.encode([UInt8](repeating: 7, count: count))
      try StoreDocument(path: file, secrecy: .secret, members: ["keys": .strings([text])]).write()
      await expect(.invalidConfiguration) { try StoreKeys(of: shared.name, at: location) }
      #expect(StoreKey(text: #"{"version":1,"key":"\#(text)"}"#) == nil)
    }
  }
}
