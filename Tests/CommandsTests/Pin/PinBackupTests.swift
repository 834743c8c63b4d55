import CoreTestSupport

@testable import Commands
@testable import SDKCore

@Suite("pin backup")
struct PinBackupTests {
  @Test(
    "makes a key and a request, both 0600, and pins the key as a backup",
    arguments: [PrivateKeyType.p256, .p521, .rsa2048, .ed25519])
  func makes(type: PrivateKeyType) async throws {
    let program = try TestProgram([:])
    let run = try await program.run(
      "pin", "backup", "API.test", "--type", type.rawValue, "--json", "-q")
    #expect(run.status == .status(.success))
    let json = try #require(run.json)
    let (key, request) = (try #require(json["key"]?.string), try #require(json["request"]?.string))
    #expect(key.hasPrefix(program.folder.file("store/state/profiles/work/backup-keys/api.test-")))
    for file in [key, request] { #expect(try FileStatus.of(file).mode == 0o600) }
    let made = try PrivateKey(pem: try FileReader.read(key, limit: 1 << 16))
    let asked = try KeyMaterial.items(in: try FileReader.read(request, limit: 1 << 16))[0]
    #expect(made.kind == type.kind)
    #expect(asked.label == "CN=api.test")
    #expect(asked.spki == (try made.publicKey.spki))
    let pin = try Pin(spki: asked.spki)
    #expect(json["pin"] == .string("\(pin)"))
    let set = try #require(try program.pinSets().first)
    #expect(set.host == "api.test")
    #expect(set.keys.map(\.pin) == [pin])
    #expect(set.keys.map(\.role) == [.backup])
  }

  @Test("makes a second key beside the first one only with --another, and takes another directory")
  func several() async throws {
    let program = try TestProgram([:])
    _ = try await program.run("pin", "backup", "api.test")
    let pin = try #require(try program.pinSets().first?.keys.first?.pin)
    expect(
      try await program.run("pin", "backup", "api.test"), .usage,
      errors: """
        sdkctl: error: could not make a backup key for api.test: \(pin) is one already
        sdkctl: hint: sdkctl -p work pin backup api.test --another

        """)
    let run = try await program.run(
      "pin", "backup", "api.test", "--another", "--directory", program.folder.path, "--json", "-q")
    #expect(run.json?["key"]?.string?.hasPrefix(program.folder.file("api.test-")) == true)
    #expect(try program.pinSets().first?.keys.count == 2)
  }

  @Test("makes keys for the hosts of a list that have none, one for hosts with a common pattern")
  func list() async throws {
    let program = try TestProgram([:])
    _ = try await program.run(
      "pin", "add", "\(TestChain.pin("a"))", "--host", "**.api.test", "--yes", "-q")
    let file = try program.folder.write("a.api.test\nb.api.test\nid.test\n", to: "hosts")
    let run = try await program.run("pin", "backup", "@\(file)", "--json")
    #expect(run.status == .status(.success))
    #expect(run.output.split(separator: "\n").count == 2)
    #expect(run.errors.hasPrefix("sdkctl: b.api.test has a backup key already: sha256/"), "\(run)")
    #expect(try program.pinSets().map { $0.keys.count { $0.role == .backup } } == [1, 1])
  }

  @Test("refuses a directory that does not exist, and pins nothing")
  func noDirectory() async throws {
    let program = try TestProgram([:])
    let run = try await program.run("pin", "backup", "api.test", "--directory", "/nonexistent")
    #expect(run.status == .status(.configuration))
    #expect(try program.pinSets().isEmpty)
  }
}
