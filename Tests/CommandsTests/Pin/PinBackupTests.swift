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
}
