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

  /// A setting, a process and the reason for which that is refused.
  typealias Row = (key: String, process: ProcessProbe, reason: String)

  static let rows: [Row] = [
    ("debugDetection", changed { $0.tracer = 4711 }, "the process 4711 traces this one"),
    (
      "debugDetection", changed { $0.preloaded = ["/x.so"] }, "LD_PRELOAD or LD_AUDIT loads '/x.so'"
    ),
    ("debugDetection", changed { $0.dumpsCore = true }, "a crash would write"),
    (
      "tamperingProtection", changed { $0.libraries.append("/tmp/x.so") },
      "the library '/tmp/x.so' is not from a system directory"
    ),
    (
      "tamperingProtection", changed { $0.libraries.append("/usr/libx/x.so") },
      "the library '/usr/libx/x.so'"
    ),
    (
      "tamperingProtection", changed { $0.libraries.append("/usr/lib/x.so (deleted)") },
      "the library '/usr/lib/x.so (deleted)'"
    ),
    ("tamperingProtection", changed { $0.preloaded = ["/x.so"] }, "LD_PRELOAD"),
    (
      "tamperingProtection", changed { $0.libraries.append("/usr/lib/../../x.so") },
      "the library '/usr/lib/../../x.so'"
    ),
    (
      "tamperingProtection", changed { $0.libraryPath = ["/usr/lib", "/tmp/x"] },
      "LD_LIBRARY_PATH has '/tmp/x', which is not a system directory"
    ),
    ("tamperingProtection", changed { $0.libraryPath = ["."] }, "LD_LIBRARY_PATH has '.'"),
    (
      "tamperingProtection", changed { $0.libraryPath = ["/usr/lib/../../tmp"] },
      "LD_LIBRARY_PATH has '/usr/lib/../../tmp'"
    ),
    ("rootDetection", changed { $0.isRoot = true }, "it runs as root"),
    ("emulationDetection", changed { $0.isEmulated = true }, "virtual machine"),
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

  @Test(
    "look at the process only if one is set, and load the libraries that send requests before",
    arguments: [
      ([:], []), (["rootDetection": true], ["look"]),
      (["tamperingProtection": true], ["load", "look"]),
    ] as [(JSONObject, [String])])
  func loaded(settings: JSONObject, seen: [String]) async throws {
    let world = try World(settings)
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
    #expect(notes.all == seen)
  }
}
