import CoreTestSupport

@testable import SDKCore

@Suite("Pin store")
struct PinStoreTests {
  private static let file = "config/profiles/work/pins.json"
  private static let pin = "sha256/q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s="

  @Test("removes a host without pins, and an expiry that was unset")
  func shrinks() throws {
    let world = try World()
    try world.folder.write(
      """
      {"version":1,"hosts":{"a.test":{"expires":"2030-01-01","note":"mine","keys":[{"pin":"\(Self.pin)"}]},
      "b.test":{"keys":[{"pin":"\(Self.pin)"}]}}}
      """, to: Self.file)
    let store = PinStore(world.location, world.name)
    let book = try store.load()
    #expect(book["a.test"]?.expires == 1_893_456_000)
    let pin = try #require(Pin(Self.pin))
    let endless = PinSet(host: "a.test", keys: [PinnedKey(pin: pin, role: .leaf)])
    try store.save(book.removing("b.test").adding(try #require(endless)))
    let json = try JSON(parsing: try world.folder.text(of: Self.file))
    #expect(json["hosts"]?.object?.keys.sorted() == ["a.test"])
    #expect(json["hosts"]?["a.test"]?["expires"] == nil)
    #expect(json["hosts"]?["a.test"]?["note"] == "mine")
  }

  @Test(
    "is refused as a whole if a part cannot be read",
    arguments: [
      ("[]", "'hosts' is an array"), ("null", "'hosts' is null"),
      (#"{"a.test":{}}"#, "'hosts.a.test.keys' is missing or empty"),
      (#"{"a.test":{"keys":[]}}"#, "'hosts.a.test.keys' is missing or empty"),
      (#"{"a.test":[]}"#, "'hosts.a.test.keys' is missing or empty"),
      (#"{"a.test":{"keys":[{"pin":"x"}]}}"#, "'hosts.a.test.keys[0].pin' is not a SHA-256 pin"),
      (#"{"a.test":{"keys":[{"pin":7}]}}"#, "'hosts.a.test.keys[0].pin' is not a SHA-256 pin"),
      (
        #"{"a.test":{"keys":[{"pin":"\#(pin)","role":"ca"}]}}"#,
        "'hosts.a.test.keys[0].role' is not leaf, intermediate, root or backup"
      ),
      (
        #"{"a.test":{"expires":1893456000,"keys":[{"pin":"\#(pin)"}]}}"#,
        "'hosts.a.test.expires' is not an ISO 8601 date"
      ),
      (#"{"-":{"keys":[{"pin":"\#(pin)"}]}}"#, "'hosts.-' is not a host name"),
      (
        #"{"com":{"includeSubdomains":true,"keys":[{"pin":"\#(pin)"}]}}"#,
        "'hosts.com' includes the subdomains of a public suffix"
      ),
      (
        #"{"CO.UK.":{"includeSubdomains":true,"keys":[{"pin":"\#(pin)"}]}}"#,
        "'hosts.CO.UK.' includes the subdomains of a public suffix"
      ),
    ])
  func refused(hosts: String, cause: String) async throws {
    let world = try World()
    let text = #"{"version":1,"hosts":\#(hosts)}"#
    try world.folder.write(text, to: Self.file)
    let message = "could not read '\(world.folder.path)/\(Self.file)': \(cause)"
    await expect(.invalidConfiguration, message) {
      _ = try PinStore(world.location, world.name).load()
    }
    await expect(.invalidConfiguration, message) { _ = try world.session() }
    await expect(.invalidConfiguration, message) { try await Self.change(world) }
    #expect(try world.folder.text(of: Self.file) == text)
  }

  @Test("has no pins without a file or without hosts")
  func empty() throws {
    let world = try World()
    #expect(try PinStore(world.location, world.name).load() == PinSets())
    try world.folder.write(#"{"version":1}"#, to: Self.file)
    #expect(try PinStore(world.location, world.name).load() == PinSets())
  }

  @Test("is changed under its lock")
  func changed() async throws {
    let world = try World()
    try await Self.change(world)
    #expect(try PinStore(world.location, world.name).load().sets.map(\.host) == ["a.test"])
    #expect(world.folder.exists(World.locks + "/pins.lock"))
  }

  /// Pins a host, also when the pins on disk cannot be read when a session opens.
  private static func change(_ world: World) async throws {
    let pin = try #require(Pin(pin))
    try await world.session().pinning.change { sets in
      sets.adding([PinnedKey(pin: pin, role: .leaf)], to: "a.test") ?? sets
    }
  }
}
