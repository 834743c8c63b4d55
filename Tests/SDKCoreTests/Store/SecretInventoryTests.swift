import CoreTestSupport
import Glibc
import TestSupport
import Testing

@testable import SDKCore

@Suite("The list of secrets")
struct SecretInventoryTests {
  @Test(
    "tells how a file is protected",
    arguments: [
      (#"{"version":1,"accessToken":"a"}"#, StoredSecretFile.Protection.permissions),
      (#"{"version":1,"sealedRefreshToken":{}}"#, .sealedRefreshToken),
      (
        #"{"version":1,"\#(SealedSecretMember.name)":"x","sealedRefreshToken":{}}"#, .passcodeSealed
      ),
      (#"{"version":1,"kdf":{}}"#, .sealed), (#"{"key":"pkcs11:object=a"}"#, .securityToken),
    ])
  func protection(text: String, protection: StoredSecretFile.Protection) async throws {
    let world = try World()
    try world.folder.write(text, to: World.userFile)
    let found = try await world.store.secrets(of: world.name)
    #expect(found.map(\.path) == [world.folder.file(World.userFile)])
    #expect(found.map(\.protection) == [protection])
    try world.folder.setMode(0o640, of: World.userFile)
    let exposed = try await world.store.secrets(of: world.name)
    #expect(exposed.map(\.protection) == [.unknown])
  }

  @Test("has the keys of a shared store")
  func shared() async throws {
    let world = try World()
    try world.folder.write(#"{"version":1}"#, to: "state/profiles/work/store-key.json")
    let found = try await world.store.secrets(of: world.name)
    #expect(Set(found.map(\.kind)) == [.storeKey])
  }

  @Test("has regular files alone, and not those that writers have not finished")
  func files() async throws {
    let world = try World()
    let directory = "state/profiles/work/credentials"
    try world.folder.write("{}", to: directory + "/.user.json.x.json")
    try world.folder.write("{}", to: "elsewhere.json")
    try world.folder.link(directory + "/implicit.json", to: "elsewhere.json")
    #expect(mkfifo(world.folder.file(directory + "/anonymous.json"), 0o600) == 0)
    #expect(try await world.store.secrets(of: world.name) == [])
  }
}
