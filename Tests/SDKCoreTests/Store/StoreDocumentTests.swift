import CoreTestSupport

@testable import SDKCore

/// What holds for every document of the store, tried through each of the stores.
@Suite("Store documents")
struct StoreDocumentTests {
  /// A document of the store: its file, how it is read, and how it is written anew.
  enum Document: String, CaseIterable, Sendable {
    case configuration = "config/config.json"
    case profile = "config/profiles/work/profile.json"
    case pins = "config/profiles/work/pins.json"
    case registration = "state/profiles/work/registration.json"
    case user = "state/profiles/work/credentials/user.json"
    case anonymous = "state/profiles/work/credentials/anonymous.json"

    var isSecret: Bool { rawValue.hasPrefix("state/") }

    func read(_ world: World) async throws {
      switch self {
      case .configuration: _ = try world.store.current()
      case .profile: _ = try world.store.profile(world.name)
      case .pins: _ = try PinStore(world.location, world.name).load()
      case .registration:
        _ = try await world.registrations.load()
      case .user: _ = try await world.stored(.user)
      case .anonymous: _ = try await world.stored(.anonymous)
      }
    }

    func write(_ world: World) async throws {
      switch self {
      case .configuration: try await world.store.setCurrent(world.name)
      case .profile: try world.store.save(try world.store.profile(world.name))
      case .pins:
        let pin = try #require(Pin(String(repeating: "ab", count: 32)))
        let set = PinSet(host: "a.test", keys: [PinnedKey(pin: pin, role: .leaf)])
        try PinStore(world.location, world.name).save(PinSets([try #require(set)]))
      case .registration: try await world.register()
      case .user: try await world.store("token")
      case .anonymous: try await world.store("token", in: .anonymous)
      }
    }
  }

  @Test("have modes for their owner, or to share", arguments: Document.allCases)
  func modes(document: Document) async throws {
    let world = try World()
    try await document.write(world)
    #expect(try world.folder.mode(of: document.rawValue) == (document.isSecret ? 0o600 : 0o644))
    var folder = document.rawValue
    while let slash = folder.lastIndex(of: "/") {
      folder = String(folder[..<slash])
      #expect(try world.folder.mode(of: folder) == 0o700, "\(folder)")
    }
  }

  @Test("are pretty JSON with a version and a final line break", arguments: Document.allCases)
  func layout(document: Document) async throws {
    let world = try World()
    try await document.write(world)
    let text = try world.folder.text(of: document.rawValue)
    let json = try JSON(parsing: text)
    #expect(json["version"] == (document.rawValue.hasPrefix("state/") ? 2 : 1))
    #expect(text == json.serialized(.pretty) + "\n")
  }

  @Test("keep the members that are unknown here", arguments: Document.allCases)
  func unknownMembers(document: Document) async throws {
    let world = try World()
    try await document.write(world)
    var json = try JSON(parsing: try world.folder.text(of: document.rawValue))
    json["fromTheFuture"] = ["a": [true, "b"]]
    try world.folder.write(json.serialized(), to: document.rawValue)
    try await document.write(world)
    let rewritten = try JSON(parsing: try world.folder.text(of: document.rawValue))
    #expect(rewritten == json)
  }

  @Test("that are newer are not replaced, also by who does not read them", arguments: ["{", nil])
  func replacing(damage: String?) async throws {
    let world = try World()
    let path = world.location.stateFile("profiles/work/identities/a/request.json")
    let text = damage ?? #"{"version":3,"what":"ever"}"#
    try world.folder.write(text, to: "state/profiles/work/identities/a/request.json")
    for folder in ["", "/profiles", "/profiles/work", "/profiles/work/identities"] {
      try world.folder.setMode(0o700, of: "state" + folder)
    }
    let document = StoreDocument(path: path, secrecy: .secret, members: ["a": "b"])
    guard damage == nil else {
      try document.write()
      return #expect(try StoreDocument.read(path, .secret)?.members["a"] == "b")
    }
    await expect(.storeVersion) { try document.write() }
    #expect(try world.folder.text(of: "state/profiles/work/identities/a/request.json") == text)
  }

  @Test(
    "are refused and left alone when their version is newer, secret ones also when it is older",
    arguments: Document.allCases.flatMap { document in
      let isSecret = document.rawValue.hasPrefix("state/")
      return (isSecret ? [1, 3] : [3]).map { (document, $0, isSecret ? 2 : 1) }
    })
  func otherVersion(document: Document, version: Int, supported: Int) async throws {
    let world = try World()
    try await document.write(world)
    let text = #"{"version":\#(version),"what":"ever"}"#
    try world.folder.write(text, to: document.rawValue)
    let advice =
      version == 3
      ? "use a newer version of the program"
      : "remove this file and its secrets, then register and log in again"
    let message =
      "could not read '\(world.folder.path)/\(document.rawValue)': it has version \(version), "
      + "and this program supports \(supported); \(advice)"
    await expect(.storeVersion, message) { try await document.read(world) }
    await expect(.storeVersion, message) { try await document.write(world) }
    #expect(try world.folder.text(of: document.rawValue) == text)
  }

  @Test(
    "are refused and left alone when they are broken, with the place",
    arguments: Document.allCases,
    [
      ("{\n  \"version\": 1,\n  x\n}", "expected a member name at line 3, column 3"),
      ("{\"version\":1", "expected ',' or '}' at line 1, column 13"),
      ("", "unexpected end of the document at line 1, column 1"),
      ("{\"version\":1,\"version\":1}", "repeated member name at line 1, column 14"),
      ("[]", "it is an array, not an object"),
      ("{}", "'version' is missing or no number"),
      ("{\"version\":\"1\"}", "'version' is missing or no number"),
      ("{\"version\":0}", "'version' is 0, and the first one is 1"),
      ("{\"version\":-1}", "'version' is -1, and the first one is 1"),
    ])
  func broken(document: Document, content: (text: String, cause: String)) async throws {
    let world = try World()
    try await document.write(world)
    try world.folder.write(content.text, to: document.rawValue)
    let message = "could not read '\(world.folder.path)/\(document.rawValue)': \(content.cause)"
    await expect(.store, message) { try await document.read(world) }
    // A profile is read before it can be changed; the others read before they write.
    await expect(.store, message) { try await document.write(world) }
    #expect(try world.folder.text(of: document.rawValue) == content.text)
  }

  @Test(
    "that are secret are refused when others may use them, with the remedy",
    arguments: Document.allCases.filter(\.isSecret), [0o644, 0o660, 0o601])
  func loose(document: Document, mode: Int) async throws {
    let world = try World()
    try await document.write(world)
    let text = try world.folder.text(of: document.rawValue)
    try world.folder.write(text, to: document.rawValue, mode: mode)
    let path = "\(world.folder.path)/\(document.rawValue)"
    let error = await expect(
      .storePermissions,
      "could not trust '\(path)': others may use it (mode 0\(String(mode, radix: 8)))"
    ) { try await document.read(world) }
    #expect(error?.remedy == .protect([FileProtection(.mode(0o600), of: [path])]))
    #expect(try world.folder.text(of: document.rawValue) == text)
  }

  @Test(
    "that are secret are refused behind a link", arguments: Document.allCases.filter(\.isSecret))
  func link(document: Document) async throws {
    let world = try World()
    try await document.write(world)
    let text = try world.folder.text(of: document.rawValue)
    try world.folder.write(text, to: "elsewhere.json")
    try world.folder.remove(document.rawValue)
    try world.folder.link(document.rawValue, to: "elsewhere.json")
    let path = "\(world.folder.path)/\(document.rawValue)"
    let error = await expect(
      .storePermissions, "could not trust '\(path)': is a symbolic link"
    ) { try await document.read(world) }
    #expect(error?.remedy == nil)
  }

  @Test(
    "that are shared are refused when others may change them",
    arguments: Document.allCases.filter { !$0.isSecret })
  func shared(document: Document) async throws {
    let world = try World()
    try await document.write(world)
    let text = try world.folder.text(of: document.rawValue)
    try world.folder.write(text, to: document.rawValue, mode: 0o644)
    try await document.read(world)
    try world.folder.write(text, to: document.rawValue, mode: 0o666)
    let path = "\(world.folder.path)/\(document.rawValue)"
    let error = await expect(
      .storePermissions, "could not trust '\(path)': others may use it (mode 0666)"
    ) { try await document.read(world) }
    #expect(error?.remedy == .protect([FileProtection(.withoutForeignWriting, of: [path])]))
  }

  @Test("cannot be written where a file stands for the directory", arguments: Document.allCases)
  func unwritable(document: Document) async throws {
    let world = try World()
    let location = StoreLocation(home: world.folder.path + "/blocked")
    try world.folder.write("", to: "blocked")
    let path = location.configFile("x.json")
    await expect(.store, "could not write '\(path)': not a directory") {
      try StoreDocument(path: path, secrecy: document.isSecret ? .secret : .shared).write()
    }
  }

  @Test("of one directory are checked for writing by many at once, and leave no file")
  func provedTogether() async throws {
    let world = try World()
    try await world.store("token")
    let before = try world.folder.files()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        let slot = number.isMultiple(of: 2) ? CredentialSlot.user : .anonymous
        group.addTask { try await world.credentials(slot).proveWritable() }
      }
      try await group.waitForAll()
    }
    #expect(try world.folder.files() == before)
  }

  @Test("may be absent, and then their removal is no error")
  func absent() async throws {
    let world = try World()
    #expect(try await world.stored() == nil)
    #expect(try await world.registrations.load() == nil)
    #expect(try PinStore(world.location, world.name).load().sets.isEmpty)
    try await world.credentials(.user).remove()
    try await world.registrations.remove()
  }
}
