import CoreTestSupport
import Glibc

@testable import SDKCore

@Suite("The list of secrets")
struct SecretInventoryTests {
  @Test(
    "tells how a file is protected",
    arguments: [
      (#"{"version":1,"accessToken":"a"}"#, StoredSecretFile.Protection.permissions),
      (#"{"version":1,"sealed":{}}"#, .sealedRefreshToken),
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

  @Test("tells of a helper's tokens that their refresh token alone is sealed")
  func helper() async {
    await #expect(processExitsWith: .success) {
      let world = try World()
      let helper = #"""
        #!/bin/sh
        case $(cat) in
        */credentials/user | */dpop) echo '{"Secret":"{\"version\":2,\"sealed\":{}}"}' ;;
        *) echo "credentials not found"; exit 1 ;;
        esac
        """#
      try world.folder.write(helper, to: "bin/docker-credential-fake", mode: 0o755)
      setenv("PATH", "\(world.folder.path)/bin:/usr/bin:/bin", 1)
      try world.folder.write(
        #"{"version":2,"place":"helper:fake","id":"one"}"#, to: "state/profiles/work/place.json")
      let found = try await world.store.secrets(of: world.name)
      #expect(found.map(\.protection) == [.sealedRefreshToken, .passcodeSealed])
    }
  }

  @Test("has every file with a secret, of each user, and no other one")
  func every() async throws {
    let world = try World()
    for file in ProfileFile.all where file.area == .state {
      for user in file.isOfUser ? ["", "users/bob/"] : [""] {
        let path = "profiles/work/" + user + file.pattern.replacing("*", with: "a")
        try world.folder.write(#"{"version":2,"place":"files","id":""}"#, to: "state/" + path)
        #expect(
          StoreLayout.entries(path.split(separator: "/").map(String.init), in: .state)
            .contains(file.entry))
        #expect(ProfileFile.row(at: String(path.dropFirst("profiles/work/".count))) == file)
      }
    }
    #expect(ProfileFile.row(at: "users/default/" + ProfileFile.dpopKey.pattern) == nil)
    let found = try await world.store.secrets(of: world.name)
    let state = world.folder.file("state/profiles/work/")
    let ofUser = [
      "credentials/user.json", "credentials/implicit.json", "credentials/anonymous.json",
      "credentials/derived/a.json", "dpop.json", "seal.json",
    ]
    #expect(
      found.map { String($0.path.dropFirst(state.count)) }.sorted()
        == (ofUser + ofUser.map { "users/bob/" + $0 } + [
          "registration.json", "identities/a/identity.json", "identities/a/request.json",
          "identities/a/client.pem", "authenticators/a.json", "dispatch-targets.json",
          "backup-keys/a.key", "store-key.json",
        ]).sorted())
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
