import CoreTestSupport

@testable import SDKCore

@Suite("Policies about the process")
struct ProcessPolicyTests {
  static let clean: ProcessProbe = {
    var probe = ProcessProbe()
    probe.libraries = ["/usr/lib/x86_64-linux-gnu/libc.so.6", "/lib/ld.so"]
    return probe
  }()

  static func changed(_ change: (inout ProcessProbe) -> Void) -> ProcessProbe {
    var probe = clean
    change(&probe)
    return probe
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let key: String
    let process: ProcessProbe
    let reason: String
    var testDescription: String { "\(key): \(reason)" }
  }

  static let rows: [Row] = [
    Row(
      key: "debugDetection",
      process: changed { $0.tracer = 4711 },
      reason: "the process 4711 traces this one"),
    Row(
      key: "debugDetection",
      process: changed { $0.preloaded = ["/x.so"] },
      reason: "LD_PRELOAD or LD_AUDIT loads '/x.so'"),
    Row(
      key: "debugDetection", process: changed { $0.dumpsCore = true },
      reason: "a crash would write"),
    Row(
      key: "tamperingProtection", process: changed { $0.libraries.append("/tmp/x.so") },
      reason: "the library '/tmp/x.so' is not from a system directory"),
    Row(
      key: "tamperingProtection", process: changed { $0.libraries.append("/usr/libx/x.so") },
      reason: "the library '/usr/libx/x.so'"),
    Row(
      key: "tamperingProtection",
      process: changed { $0.libraries.append("/usr/lib/x.so (deleted)") },
      reason: "the library '/usr/lib/x.so (deleted)'"),
    Row(
      key: "tamperingProtection", process: changed { $0.preloaded = ["/x.so"] },
      reason: "LD_PRELOAD"),
    Row(
      key: "tamperingProtection", process: changed { $0.libraries.append("/usr/lib/../../x.so") },
      reason: "the library '/usr/lib/../../x.so'"),
    Row(
      key: "tamperingProtection", process: changed { $0.libraryPath = ["/usr/lib", "/tmp/x"] },
      reason: "LD_LIBRARY_PATH has '/tmp/x', which is not a system directory"),
    Row(
      key: "tamperingProtection", process: changed { $0.libraryPath = ["."] },
      reason: "LD_LIBRARY_PATH has '.'"),
    Row(
      key: "tamperingProtection", process: changed { $0.libraryPath = ["/usr/lib/../../tmp"] },
      reason: "LD_LIBRARY_PATH has '/usr/lib/../../tmp'"),
    Row(key: "rootDetection", process: changed { $0.isRoot = true }, reason: "it runs as root"),
    Row(
      key: "emulationDetection", process: changed { $0.isEmulated = true },
      reason: "virtual machine"),
  ]

  private static func world(_ settings: JSONObject) async throws -> World {
    let world = try await World.loggedIn(exchanges: false, settings)
    for slot in [CredentialSlot.implicit, .anonymous] { try await world.store("t", in: slot) }
    world.transport.respond("https://api.test/v1/x", .status(200))
    world.transport.forget()
    return world
  }

  private static func send(
    _ process: ProcessProbe, as access: Access, in world: World
  ) async throws {
    var options = SessionOptions()
    options.process = { process }
    let session = try ProfileSession(
      world.name, in: world.store, options: options, now: { world.now },
      network: .scripted(world.transport))
    _ = try await session.resources.send(
      ResourceRequest("GET", "/x"), as: access, receiving: .collect(limit: 9))
  }

  @Test("refuse every kind of request, before anything is sent", arguments: rows, Access.allCases)
  func refuses(row: Row, access: Access) async throws {
    let world = try await Self.world([row.key: true])
    let error = await #expect(throws: SDKError.self) {
      try await Self.send(row.process, as: access, in: world)
    }
    #expect(world.transport.lines == [])
    #expect(error?.code == .policy)
    #expect(error?.message.contains(row.reason) == true)
  }

  @Test("accept a process without findings, or if no policy is set", arguments: rows)
  func passes(row: Row) async throws {
    let world = try await Self.world([row.key: true])
    try await Self.send(Self.clean, as: .user, in: world)
    #expect(world.transport.lines == ["GET https://api.test/v1/x"])
    try await Self.send(row.process, as: .unauthenticated, in: Self.world([:]))
  }

  @Test("accept libraries of the directories that the profile names")
  func directories() async throws {
    let process = Self.changed {
      $0.libraries.append("/opt/swift/usr/lib/x.so")
      $0.libraryPath = ["/opt/swift", "/opt/swift/usr/lib", "/usr/lib/x86_64-linux-gnu"]
    }
    let settings: JSONObject = ["tamperingProtection": true]
    let named: JSONObject = ["libraryDirectories": "/srv /opt/swift"]
    let world = try await Self.world(settings.merging(named) { left, _ in left })
    try await Self.send(process, as: .unauthenticated, in: world)
    #expect(world.transport.lines == ["GET https://api.test/v1/x"])
    let other = try await Self.world(settings)
    await #expect(throws: SDKError.self) {
      try await Self.send(process, as: .unauthenticated, in: other)
    }
    #expect(other.transport.lines == [])
  }

  @Test("look at the libraries that send requests, which are loaded before")
  func loaded() async throws {
    let world = try World()
    try world.set("tamperingProtection", to: true)
    let notes = FakeNotes()
    var options = SessionOptions()
    options.loadLibraries = { notes.add("load") }
    options.process = {
      notes.add("look")
      return Self.clean
    }
    let session = try ProfileSession(
      world.name, in: world.store, options: options, now: { world.now },
      network: .scripted(world.transport))
    try session.resources.check(ResourceRequest("GET", "/x"), as: .unauthenticated)
    #expect(notes.all == ["load", "look"])
    try world.set("tamperingProtection", to: false)
    try world.set("rootDetection", to: true)
    let other = try ProfileSession(
      world.name, in: world.store, options: options, now: { world.now },
      network: .scripted(world.transport))
    try other.resources.check(ResourceRequest("GET", "/x"), as: .unauthenticated)
    #expect(notes.all == ["load", "look", "look"])
  }
}
