import CoreTestSupport
import Foundation

@testable import SDKCore

@Suite("Exports of profiles", .timeLimit(.minutes(10)))
struct ProfileDocumentTests {
  private let folder: TemporaryFolder
  private let store: ProfileStore
  /// What tests can afford.
  private let cost = ScryptCost(n: 16, r: 1, p: 1)
  private let passphrase = Array("correct horse".utf8)

  init() throws {
    folder = try TemporaryFolder()
    store = ProfileStore(StoreLocation(home: folder.file("store")))
  }

  @Test("without secrets do not read them")
  func unread() async throws {
    let world = try World()
    let file = "state/profiles/work/registration.json"
    try world.folder.write("{", to: file)
    let export = try await world.store.export(world.name, .none)
    #expect(export.secrets.isEmpty)
    await #expect(throws: SDKError.self) {
      try await world.store.export(world.name, .credentials)
    }
  }

  /// A profile of random settings, pins and secret documents, with members that nobody knows.
  private func make(_ name: ProfileName, _ dice: inout Dice) async throws {
    var profile = try Profile(name: name)
    for (key, values) in Self.values where Bool.random(using: &dice) {
      guard let text = values.randomElement(using: &dice) else { continue }
      try profile.set(key, to: try #require(SettingTable.core.named(key)).value(from: text))
    }
    try await store.add(profile)
    if Bool.random(using: &dice) {
      let keys = (0...3).map { PinnedKey(pin: Pin(key: [UInt8($0)]), role: .backup, label: "k") }
      let set = PinSet(
        try #require(PinPattern("*.a.test")), expires: 2_000_000_000, policy: .report,
        comment: "c", keys: keys)
      try PinStore(store.location, name).save(PinSets([set]))
    }
    let paths = [
      "registration.json", "dpop.json", "seal.json", "credentials/user.json",
      "credentials/anonymous.json",
      "identities/api.test/identity.json", "identities/_wildcard.b.test/identity.json",
    ]
    let files = ProfileFiles(location: store.location, name: name)
    for path in paths where Bool.random(using: &dice) {
      let text = String(UInt64.random(in: 0 ... .max, using: &dice), radix: 36)
      try StoreDocument(
        path: files.path(path), secrecy: .secret,
        members: ["secret": .string(text), "deep": ["n": 15, "list": [.null, true]]]
      ).write()
    }
  }

  private static let values: [(String, [String])] = [
    ("issuer", ["https://id.test", "https://id.test/"]), ("resourceURL", ["https://a.test/v1"]),
    ("scope", ["openid é", "a b"]), ("allowedHosts", ["b.test,c.test:8443"]),
    ("redirectURI", ["authapp://Default/Authcallback"]), ("pinPolicy", ["report", "enforce"]),
    ("redirectPort", ["61000"]), ("pkce", ["true", "false"]),
    ("authorizationParameters", ["a=b&c=d"]),
    ("identity.when", ["refused"]), ("identity.refusedStatus", ["401 403"]),
    ("endpoints.token", ["https://id.test/t?q=1"]), ("idleTimeout", ["0", "7"]),
  ]

  /// The files of a profile as an import makes them: without the setting that nobody knows.
  private func imported(_ name: ProfileName) async throws -> [String: String] {
    let known = try ProfileName("known")
    var members = try store.profile(name).members
    members["unknown"] = nil
    try await store.add(Profile(name: known, members: members))
    return try files(of: name).merging(files(of: known)) { $1 }
  }

  /// The files of a profile by their paths, without locks.
  private func files(of name: ProfileName) throws -> [String: String] {
    var found: [String: String] = [:]
    for (path, text) in try folder.files() where path.contains("profiles/\(name)/") {
      guard !path.contains("/locks/") else { continue }
      found[path.replacing("profiles/\(name)/", with: "")] = text
    }
    return found
  }

  @Test(
    "with all secrets, imported again, make the same bytes on disk but for unknown settings",
    arguments: 0..<100)
  func roundTrip(seed: UInt64) async throws {
    var dice = Dice(state: seed)
    let (old, new) = (try ProfileName("old"), try ProfileName("new"))
    try await make(old, &dice)
    let export = try await store.export(old, .all)
    let document = try await export.sealed(with: passphrase, cost: cost)
    guard case .sealed(let sealed) = try ProfileDocument(reading: document.serializedBytes(.pretty))
    else { throw Unmet("not sealed") }
    let opened = try await sealed.export(openedWith: passphrase)
    #expect(opened == export)
    try await store.add(opened, as: new)
    #expect(try store.names() == [new, old])
    #expect(try await files(of: new) == imported(old))
    #expect(try files(of: new).count >= 1)
  }

  @Test(
    "to share have settings and pins and no secret, and make the same bytes",
    arguments: 0..<50)
  func share(seed: UInt64) async throws {
    var dice = Dice(state: seed)
    let (old, new) = (try ProfileName("old"), try ProfileName("new"))
    try await make(old, &dice)
    let bytes = try #require(try await store.export(old).document).serializedBytes()
    #expect(!String(decoding: bytes, as: UTF8.self).contains("\"secret\""))
    guard case .open(let export) = try ProfileDocument(reading: bytes) else {
      throw Unmet("not open")
    }
    try await store.add(export, as: new)
    let shared = try await imported(old).filter { $0.key.contains("config/") }
    #expect(try files(of: new) == shared)
  }

  @Test("leave tokens out unless they are wanted")
  func tokens() async throws {
    var dice = Dice(state: 1)
    let name = try ProfileName("work")
    try await make(name, &dice)
    let files = ProfileFiles(location: store.location, name: name)
    for path in ["credentials/user.json", "dpop.json", "registration.json"] {
      try StoreDocument(path: files.path(path), secrecy: .secret, members: ["t": "x"]).write()
    }
    let some = try await store.export(name, .credentials)
    #expect(some.secrets["registration.json"] != nil)
    #expect(some.secrets["credentials/user.json"] == nil && some.secrets["dpop.json"] == nil)
    #expect(some.document == nil)
    let all = try await store.export(name, .all)
    #expect(all.secrets["credentials/user.json"] != nil && all.secrets["dpop.json"] != nil)
  }

  @Test("that were changed anywhere, cut or opened with another passphrase are refused")
  func damaged() async throws {
    var dice = Dice(state: 7)
    let (old, new) = (try ProfileName("old"), try ProfileName("new"))
    try await make(old, &dice)
    let export = try await store.export(old, .all)
    let bytes = try await export.sealed(with: passphrase, cost: cost).serializedBytes()
    let before = try folder.files()
    for _ in 0..<300 {
      let mutated = dice.mutated(bytes)
      guard mutated != bytes else { continue }
      do throws(SDKError) {
        guard case .sealed(let sealed) = try ProfileDocument(reading: mutated) else { continue }
        let opened = try await sealed.export(openedWith: passphrase)
        // A changed letter outside of what is encrypted, such as white space, changes nothing.
        #expect(opened == export)
      } catch {
        #expect([.invalidRequest, .wrongPassword, .unavailable].contains(error.code), "\(error)")
      }
    }
    guard case .sealed(let sealed) = try ProfileDocument(reading: bytes) else {
      throw Unmet("the document is not sealed")
    }
    await #expect(throws: SDKError.self) {
      try await sealed.export(openedWith: Array("other".utf8))
    }
    #expect(try folder.files() == before)
    #expect(!store.contains(new))
  }

  @Test(
    "with paths that do not belong to a profile, or secrets in the open, are refused",
    arguments: [
      "../../x.json", "/etc/passwd", "credentials/../x.json", "identities/../identity.json",
      "identities/a/b/identity.json", "identities//identity.json", "identities/a/client.pem",
      "authenticators/x.json",
      "profile.json", "",
    ])
  func paths(path: String) async throws {
    let export = ProfileExport(settings: [:], pins: nil, secrets: [path: ["a": 1]])
    let document = try await export.sealed(with: passphrase, cost: cost)
    guard case .sealed(let sealed) = try ProfileDocument(reading: document.serializedBytes()) else {
      return
    }
    await #expect(throws: SDKError.self) { try await sealed.export(openedWith: passphrase) }
    let open = #"{"profileExport": 2, "profile": {}, "secrets": {"registration.json": {}}}"#
    #expect(throws: SDKError.self) { try ProfileDocument(reading: Array(open.utf8)) }
  }

  @Test("are not imported over a profile, and leave nothing behind if a setting is wrong")
  func refused() async throws {
    var dice = Dice(state: 3)
    let name = try ProfileName("work")
    try await make(name, &dice)
    let before = try folder.files()
    let other = ProfileExport(settings: ["scope": "x"], pins: nil)
    await #expect(throws: SDKError.self) { try await store.add(other, as: name) }
    let wrong = ProfileExport(settings: ["scope": 1], pins: nil)
    await #expect(throws: SDKError.self) { try await store.add(wrong, as: try ProfileName("new")) }
    #expect(try folder.files() == before)
  }

  @Test(
    "of another version, or without a profile, are refused",
    arguments: [
      #"{"profileExport": 3, "profile": {}}"#, #"{"profileExport": "2", "profile": {}}"#,
      #"{"profileExport": 2}"#, #"{"profileExport": 2, "profile": []}"#,
      #"{"profileExport": 2, "profile": {}, "pins": []}"#,
      #"{"profileExport": 2, "profile": {}, "pins": {"hosts": {"a.test": {"keys": "x"}}}}"#,
      #"{"profileExport": 2, "sealed": {}}"#, #"{"profileExport": 2, "sealed": 1}"#,
    ])
  func malformed(text: String) {
    #expect(throws: SDKError.self) { try ProfileDocument(reading: Array(text.utf8)) }
  }

  @Test("of an earlier version are refused, and say what to do")
  func earlier() async {
    let text = #"{"profileExport": 1, "profile": {}}"#
    await expect(
      .invalidRequest,
      "could not read the export: it is of an earlier version; export the profile again"
    ) { _ = try ProfileDocument(reading: Array(text.utf8)) }
  }

  @Test("have no identity of a name that no import takes")
  func names() async throws {
    let world = try World()
    for name in ["foo bar", "a"] {
      try world.folder.write(
        #"{"version":2}"#, to: "state/profiles/work/identities/\(name)/identity.json")
    }
    let export = try await world.store.export(world.name, .credentials)
    #expect(export.secrets.keys.sorted() == ["identities/a/identity.json"])
  }
}
