import CoreTestSupport
import Glibc

@testable import SDKCore

@Suite("The files of identities")
struct IdentityFileTests {
  private static let directory = "state/profiles/work/identities"

  @Test("are not said to be deleted while their directory cannot be listed")
  func unlisted() async {
    await #expect(processExitsWith: .success) {
      let world = try World()
      let files = IdentityFiles(location: world.location, profile: world.name)
      let name = try IdentityName("a")
      try world.folder.write("", to: Self.directory + "/a/client.pem")
      // Files can be removed, but nothing can be opened.
      let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      var limit = rlimit()
      getrlimit(openFiles, &limit)
      var none = limit
      none.rlim_cur = 0
      setrlimit(openFiles, &none)
      defer { setrlimit(openFiles, &limit) }
      let error = #expect(throws: SDKError.self) { try files.erase("identity.json", of: name) }
      #expect(error?.message.hasPrefix("could not delete the identity 'a': ") == true)
    }
  }

  @Test("that cannot be listed or deleted are an error, those that do not exist are not")
  func errors() async throws {
    let world = try World()
    let files = IdentityFiles(location: world.location, profile: world.name)
    let name = try IdentityName("a")
    #expect(try files.names() == [])
    try files.erase(name)
    // A link to itself cannot be listed.
    try world.folder.write("", to: Self.directory + "/b/x")
    try world.folder.link(Self.directory + "/a", to: Self.directory + "/a")
    await expect(.store) { try files.erase(name) }
    try world.folder.remove(Self.directory)
    try world.folder.link(Self.directory, to: Self.directory)
    let error = await expect(.store) { try files.names() }
    #expect(error?.message.hasPrefix("could not list the identities of 'work': ") == true)
  }

  @Test("with a host that is not one are refused", arguments: ["hosts", "refusedBy"])
  func hosts(member: String) async throws {
    let world = try World()
    let identity = try TestIdentity.make("api.test", hosts: ["api.test"])
    try await world.identities().save(identity)
    let file = "\(Self.directory)/api.test/identity.json"
    var document = try JSON(parsing: world.folder.bytes(of: file))
    document[member] = ["api.test", "*.com"]
    try world.folder.write(document.serialized(.pretty), to: file)
    let error = await expect(.invalidConfiguration) {
      try world.identities().identity(named: identity.name)
    }
    #expect(error?.message.hasSuffix("'\(member)[1]' is a string and should be a host") == true)
  }

  @Test("that wait for a certificate go with the seal of their key, and no others")
  func requests() async throws {
    let world = try World()
    for (name, member) in [
      ("open", "key"), ("sealed", ProfileFile.sealedMember), ("none", "other"),
    ] {
      let document: JSON = .object(["version": 2, member: ["pem": "x"]])
      try world.folder.write(document.serialized(), to: "\(Self.directory)/\(name)/request.json")
    }
    let files = IdentityFiles(location: world.location, profile: world.name)
    let seal = try world.session().tokens.slots.seal
    try await seal.environment.erase(try seal.read())
    #expect(
      try files.names(with: "request.json").map(\.description) == ["none", "open"])
  }

  @Test("whose keys are sealed stay as they are while the seal is closed")
  func rewritten() async throws {
    let world = try World()
    let passcode = KnownPasscode(Array("27182".utf8))
    try await world.identities().save(try TestIdentity.make("a", hosts: []))
    try await world.session().seal.seal([.identity], asking: passcode)
    let before = try world.folder.text(of: Self.directory + "/a/identity.json")
    #expect(!before.contains("PRIVATE KEY"))
    try await world.session().tokens.slots.seal.rewrite([.identity])
    #expect(try world.folder.text(of: Self.directory + "/a/identity.json") == before)
  }
}
