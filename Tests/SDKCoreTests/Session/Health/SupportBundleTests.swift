import JSON
import POSIX
import TestSupport
import Testing

@testable import SDKCore

@Suite("The bundle for support")
struct SupportBundleTests {
  @Test(
    "has of settings only what is no secret",
    arguments: [
      ("pkce", true, true), ("redirectPort", 8080, 8080), ("pinPolicy", "report", "report"),
      ("resourceURL", "https://a.test/secret?x=1", "https://a.test"),
      ("clientID", "secret", "a string"),
      ("identity", ["command": "secret"], nil), ("unknown", "secret", "a string"),
      ("unknown", 17, "a number"), ("unknown", true, "a boolean"),
      ("pinPolicy", "secret", "a string"), ("pinPolicy", true, "a boolean"),
      ("redirectPort", 70_000, "a number"), ("scope", 17, "a number"),
      ("clientID", "report", "a string"), ("resourceURL", "https://a.test:x/secret", "a string"),
    ] as [(String, JSON, JSON?)])
  func settings(name: String, value: JSON, shown: JSON?) throws {
    let world = try World()
    let document: JSON = .object(["version": 1, name: value])
    try world.folder.write(document.serialized(), to: "config/profiles/work/profile.json")
    let bundle = SupportBundle(world.store, profiles: nil, .current).json()
    #expect(bundle["profiles"]?["work"]?[name] == shown)
    #expect(!bundle.serialized().contains("secret"))
  }
}
