import CoreTestSupport
import Glibc

@testable import SDKCore

/// In processes of their own, because a helper is found by `PATH`.
@Suite("Secrets that a helper program keeps")
struct HelperPlaceTests {
  /// Returns what is in `secret` beside it, whatever it has stored, and notes what it erases and
  /// which tokens it sees; with `full` beside it, it stores nothing, and with `locked` it fails.
  private static let helper = """
    #!/bin/sh
    cd "${0%/*}"
    input=$(cat)
    [ -f locked ] && echo "the keyring is locked" && exit 1
    case $1 in
    get) [ -f secret ] && exec cat secret; echo "credentials not found in native keychain"; exit 1 ;;
    store) echo "$SDKCTL_TOKEN$BEARER_TOKEN$BEARER_TOKEN_FILE" > seen
      [ -f full ] && echo "credentials not found: full" && exit 1; printf %s "$input" > stored ;;
    erase) printf %s "$input" > erased ;;
    esac
    """

  private static let secret = #"{"Username":"profile","Secret":"{\"version\":2,\"a\":2}"}"#

  private static func addHelper(to folder: TemporaryFolder) throws {
    try folder.write(helper, to: "bin/docker-credential-fake", mode: 0o755)
    setenv("PATH", "\(folder.path)/bin:/usr/bin:/bin", 1)
  }

  @Test("are absent if the helper says so, or has an empty one, and then nothing is erased")
  func absent() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      try HelperPlaceTests.addHelper(to: folder)
      let place = HelperPlace(name: "fake", id: "work", remaining: { nil })
      for text in [nil, #"{"Username":"profile","Secret":""}"#] {
        if let text { try folder.write(text, to: "bin/secret") }
        #expect(try await place.read("registration") == nil)
        try await place.remove("registration")
        #expect(!folder.exists("bin/erased"))
      }
      try folder.write(HelperPlaceTests.secret, to: "bin/secret")
      #expect(try await place.read("registration")?["a"] == 2)
      try await place.remove("registration")
      #expect(try folder.text(of: "bin/erased") == "https://profiles.invalid/work/registration")
    }
  }

  @Test("are not stored if the helper says that it has none, and are all that it sees")
  func notStored() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      try HelperPlaceTests.addHelper(to: folder)
      for name in Environment.tokenVariables { setenv(name, "token", 1) }
      let place = HelperPlace(name: "fake", id: "work", remaining: { nil })
      try await place.write(["a": 2], to: "registration")
      #expect(try folder.text(of: "bin/stored").contains("registration"))
      #expect(try folder.text(of: "bin/seen") == "\n")
      try folder.write("", to: "bin/full")
      await expect(
        .storeUnavailable,
        "could not write 'registration in helper:fake': 'docker-credential-fake store' failed: "
          + "credentials not found: full"
      ) { try await place.write(["a": 3], to: "registration") }
    }
  }

  @Test("are not there after the proof that they can be written, also if it was killed")
  func proof() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      try HelperPlaceTests.addHelper(to: folder)
      let place = HelperPlace(name: "fake", id: "work", remaining: { nil })
      _ = try await place.proveWritable("registration")
      #expect(folder.exists("bin/stored"))
      #expect(try folder.text(of: "bin/erased") == "https://profiles.invalid/work/registration")
      try folder.write(
        #"{"Username":"profile","Secret":"{\"version\":2}"}"#, to: "bin/secret")
      #expect(try await place.read("registration") == nil)
      try folder.remove("bin/erased")
      try folder.write(HelperPlaceTests.secret, to: "bin/secret")
      _ = try await place.proveWritable("registration")
      #expect(!folder.exists("bin/erased"))
    }
  }

  @Test("are not taken for damaged if the helper fails, and not replaced if they are newer")
  func locked() async {
    await #expect(processExitsWith: .success) {
      let world = try World()
      try HelperPlaceTests.addHelper(to: world.folder)
      try world.folder.write("", to: "bin/locked")
      try world.folder.write(
        #"{"version":2,"place":"helper:fake","id":"one"}"#, to: "state/profiles/work/place.json")
      let error = await expect(
        .storeUnavailable,
        "could not read 'credentials/user in helper:fake': 'docker-credential-fake get' failed: "
          + "the keyring is locked"
      ) { _ = try await world.session().tokens.valid(for: .user) }
      #expect(error?.remedy == nil && error?.isDamage == false)
      try world.folder.remove("bin/locked")
      try world.folder.write(
        #"{"Username":"profile","Secret":"{\"version\":99}"}"#, to: "bin/secret")
      await expect(.storeVersion) {
        try await world.store.secretDocuments(of: world.name).write(["a": 2], to: .dpopKey)
      }
      #expect(!world.folder.exists("bin/stored"))
    }
  }

  @Test("stay in files if the helper does not give them back")
  func lost() async {
    await #expect(processExitsWith: .success) {
      let world = try World()
      try HelperPlaceTests.addHelper(to: world.folder)
      try await world.store("u1")
      try world.folder.write(HelperPlaceTests.secret, to: "bin/secret")
      let error = await expect(.store) {
        try await world.store.move(secretsOf: world.name, to: .helper("fake"))
      }
      #expect(error?.message.hasSuffix("'helper:fake' gives back something else") == true)
      #expect(try world.store.place(of: world.name).place == .files)
      #expect(try await world.stored()?.accessToken == "u1")
    }
  }
}
