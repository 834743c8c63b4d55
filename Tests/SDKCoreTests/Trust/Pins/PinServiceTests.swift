import CoreTestSupport

@testable import SDKCore

@Suite("The pin service")
struct PinServiceTests {
  private static let file = "config/profiles/work/pins.json"
  private static let first = PinnedKey(pin: Pin(key: [1]), role: .leaf)
  private static let second = PinnedKey(pin: Pin(key: [2]), role: .backup)

  @Test("adds keys to a host, and replaces those with the same pin")
  func add() async throws {
    let world = try World()
    try await world.session().pinning.add([Self.first, Self.second], to: "api.test")
    try await world.session().pinning.add([Self.first], to: "*.other.test:8443")
    let replaced = PinnedKey(pin: Self.first.pin, role: .root)
    try await world.session().pinning.add([replaced], to: "api.test")
    let pins = try world.session().pins
    #expect(pins.sets.map(\.pattern.description) == ["api.test", "*.other.test:8443"])
    let set = try #require(pins.sets.first { "\($0.pattern)" == "api.test" })
    #expect(Set(set.keys.map(\.pin)) == [Self.first.pin, Self.second.pin])
    #expect(set.keys.first { $0.pin == Self.first.pin }?.role == .root)
  }

  @Test(
    "refuses what is not a host, and the subdomains of a public suffix, and writes nothing",
    arguments: [
      ("https://api.test", "could not add pins: 'https://api.test' is not a host name"),
      ("*.co.uk", "could not pin the subdomains of 'co.uk': it is a public suffix"),
    ])
  func refused(host: String, message: String) async throws {
    let world = try World()
    await expect(.invalidRequest, message) {
      try await world.session().pinning.add([Self.first], to: host)
    }
    #expect(!world.folder.exists(Self.file))
  }

  @Test("reads the pins again before a change, so that two sessions lose nothing")
  func two() async throws {
    let world = try World()
    let (one, other) = (try world.session(), try world.session())
    try await one.pinning.add([Self.first], to: "api.test")
    try await other.pinning.add([Self.second], to: "api.test")
    #expect(
      try Set(world.session().pins.pins(of: "api.test")) == [Self.first.pin, Self.second.pin])
    // A session keeps the pins that it was opened with.
    #expect(one.pins.sets.isEmpty)
  }

  @Test("makes no backup key for a host that has pins for other ports only")
  func otherPort() async throws {
    let world = try World()
    try await world.session().pinning.add([Self.first], to: "a.test:8443")
    let before = try world.folder.text(of: Self.file)
    await expect(
      .invalidRequest, "could not make a backup key: of a.test there are only pins for a.test:8443"
    ) { _ = try await world.session().pinning.makeBackupKey(for: "a.test") }
    #expect(try world.folder.text(of: Self.file) == before)
    let made = try await world.session().pinning.makeBackupKey(for: "a.test", port: 8443)
    #expect(made.pattern.description == "a.test:8443")
  }

  @Test("takes a document from a server only with the status 200", arguments: [204, 404, 500])
  func status(status: Int) async throws {
    let world = try World()
    world.transport.respond("https://p.test/pins", .status(status, "{}"), .status(200, "{}"))
    await expect(.refused, "could not fetch the pin set: the server returned \(status)") {
      _ = try await world.session().pinning.fetchPinSet("https://p.test/pins")
    }
    let found = try await world.session().pinning.fetchPinSet("https://p.test/pins")
    #expect(found == Array("{}".utf8))
  }

  @Test("leaves pins that cannot be read as they are")
  func damaged() async throws {
    let world = try World()
    let session = try world.session()
    try world.folder.write("{", to: Self.file)
    await #expect(throws: SDKError.self) {
      try await session.pinning.add([Self.first], to: "api.test")
    }
    await #expect(throws: SDKError.self) { try await session.pinning.remove(from: "api.test") }
    #expect(try world.folder.text(of: Self.file) == "{")
  }
}

extension PinSets {
  fileprivate func pins(of host: String) -> [Pin] {
    sets.first { "\($0.pattern)" == host }?.keys.map(\.pin) ?? []
  }
}
