import CoreTestSupport

@testable import SDKCore

/// Every document of the store with values that no honest program wrote: read, refused or passed
/// over, but never the end of the process.
@Suite("Stored documents with strange values")
struct StoreFuzzTests {
  private static let values: [JSON] = {
    let text = #"""
      [-9223372036854775808, -9223372036854775807, -1, 0, 1, 9223372036854775807, -1.5, 1e300,
      -1e300, 9.2e18, 1e999, "", "\u0000", "\u202e", "9223372036854775808", null, true, [], {},
      [[]], [null], [-1], {"": ""}]
      """#
    let values = (try? JSON(parsing: text))?.array ?? []
    return values + [.string(String(repeating: "x", count: 70_000))]
  }()

  @Test(
    "are read without harm",
    arguments: [
      "config/config.json", "config/profiles/work/profile.json", "config/profiles/work/pins.json",
      "state/profiles/work/registration.json", "state/profiles/work/credentials/user.json",
      "state/profiles/work/credentials/anonymous.json", "state/profiles/work/dpop.json",
      "cache/logins/work.json", "cache/nonces/work.json", "cache/issuers/", "cache/jwks/",
    ])
  func strange(name: String) async throws {
    let world = try await World.loggedIn(exchanges: false)
    let token = try await Self.fill(world)
    let files = try world.folder.files()
    let file = try #require(files.keys.first { $0.hasPrefix(name) }, "\(files.keys.sorted())")
    let document = try JSON(parsing: try #require(files[file]))
    var count = 0
    for path in Self.paths(in: document) {
      for value in Self.values {
        let changed = Self.document(document, with: value, at: path[...])
        try world.folder.write(changed.serialized(), to: file)
        await Self.use(world, token)
        count += 1
      }
    }
    #expect(count >= Self.values.count)
  }

  @Test("are read without harm when bytes of them are changed")
  func damaged() async throws {
    let world = try await World.loggedIn(exchanges: false)
    let token = try await Self.fill(world)
    var dice = Dice(state: 8)
    for (name, text) in try world.folder.files().sorted(by: { $0.key < $1.key })
    where name.hasSuffix(".json") {
      for _ in 0..<40 {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...3, using: &dice) {
          let place = Int.random(in: 0..<bytes.count, using: &dice)
          // What keeps it UTF-8: most damage shall come further than the first check.
          bytes[place] = UInt8.random(in: 0x20...0x7E, using: &dice)
        }
        try world.folder.write(String(decoding: bytes, as: UTF8.self), to: name)
        await Self.use(world, token)
      }
      try world.folder.write(text, to: name)
    }
  }

  /// Has every document of the store written; returns an ID token.
  private static func fill(_ world: World) async throws -> String {
    let issuer = try IDTokenIssuer()
    issuer.publish(in: world)
    try await world.store("d1", in: .anonymous)
    let pin = try #require(Pin(sha256: Array(repeating: 1, count: 32)))
    let set = PinSet(
      host: "id.test", expires: World.now + 1_000_000, keys: [PinnedKey(pin: pin, role: .leaf)])
    try PinStore(world.location, world.name).save(PinSets([try #require(set)]))
    let session = try world.session()
    let server = try await session.server.metadata()
    try await session.server.keys(of: server)
      .verify(try JWS(compact: try issuer.token()), allowed: [.es256])
    try await world.store.setCurrent(world.name)
    try await session.server.dpop.save(try .generate(.es256))
    session.server.dpop.nonces.store("n", of: "https://id.test")
    AttemptLog(world.location, world.name).note(
      SDKError(.network, "m"), of: "r", at: World.now)
    return try issuer.token()
  }

  /// What reads the documents, and reckons with what they hold.
  private static func use(_ world: World, _ token: String) async {
    _ = try? world.store.current()
    _ = try? world.store.aliases()
    let outcome = AttemptLog(world.location, world.name).last()
    _ = outcome?.pause(at: World.now)
    _ = outcome?.error
    guard let session = try? world.session() else { return }
    _ = session.server.dpop.nonces.value(of: "https://id.test")
    _ = session.pins.sets.map { $0.isExpired(at: World.now) }
    _ = try? await session.registration.current()?.hasExpiredSecret(at: World.now)
    _ = try? await session.registration.usable()
    _ = try? await session.tokens.dpopThumbprint()
    for slot in CredentialSlot.allCases {
      _ = try? await session.tokens.tokens(in: slot)?.isValid(at: World.now, minimumLifetime: .max)
    }
    guard let server = try? await session.server.metadata(), let signed = try? JWS(compact: token)
    else {
      return
    }
    try? await session.server.keys(of: server).verify(signed, allowed: [.es256])
  }

  /// The places of all values in a document, at most 20.
  private static func paths(in value: JSON) -> [[String]] {
    var paths: [[String]] = []
    for (name, member) in (value.object ?? [:]).sorted(by: { $0.key < $1.key }) {
      paths.append([name])
      paths += Self.paths(in: member).map { [name] + $0 }
    }
    return Array(paths.prefix(20))
  }

  private static func document(_ old: JSON, with value: JSON, at path: ArraySlice<String>) -> JSON {
    guard let name = path.first else { return value }
    var new = old
    new[name] = document(old[name] ?? .null, with: value, at: path.dropFirst())
    return new
  }
}
