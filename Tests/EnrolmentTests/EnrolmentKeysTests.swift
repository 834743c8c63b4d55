import CoreTestSupport

@testable import Enrolment
@testable import SDKCore

@Suite("The settings of enrolment services")
struct EnrolmentKeysTests {
  private static let table = SettingTable([.enrolment])

  @Test(
    "tell what leads elsewhere and what names something of this machine",
    arguments: [
      ("url", "https://b.test", .elsewhere), ("url", "https://id.test/est", nil),
      ("attributesURL", "https://b.test", .elsewhere), ("requestURL", "https://b.test", .elsewhere),
      ("retireURL", "https://b.test", .elsewhere), ("profile", "b", .elsewhere),
      ("command", "rm -rf", .local), ("passwordFile", "/b", .local), ("user", "alice", nil),
      ("obtain", "est", nil), ("key", "p384", nil), ("token", "user", nil),
    ] as [(String, JSON, SettingChange.Effect?)])
  func effects(key: String, value: JSON, effect: SettingChange.Effect?) throws {
    #expect(try Self.table.effects(ofSetting: "identity.\(key)", to: value) == [effect])
  }

  @Test(
    "tell that a token leads elsewhere if the service is none of the servers, or if there was one",
    arguments: [
      (nil, ["url": "https://id.test/est"], nil), (nil, ["url": "https://b.test"], .elsewhere),
      (nil, ["attributesURL": "https://b.test"], .elsewhere),
      (nil, ["requestURL": "https://b.test"], .elsewhere),
      (nil, ["retireURL": "https://b.test"], .elsewhere),
      (nil, ["profile": "b"], .elsewhere), ("anonymous", [:], .elsewhere),
    ] as [(String?, JSONObject, SettingChange.Effect?)])
  func token(old: String?, section: JSONObject, effect: SettingChange.Effect?) throws {
    let name = try ProfileName("a")
    func profile(_ token: String?) throws -> Profile {
      var members = section
      members["token"] = token.map { .string($0) }
      return try Profile(
        name: name, members: ["issuer": "https://id.test", "identity": .object(members)],
        settings: Self.table)
    }
    let changes = try profile(old).changes(to: profile("user"))
    #expect(changes.map(\.key) == ["identity.token"] && changes.map(\.effect) == [effect])
  }

  @Test(
    "need what the service is reached by",
    arguments: [
      (["obtain": "est"], "identity.obtain=est needs 'identity.url', which is not set"),
      (["obtain": "command"], "identity.obtain=command needs 'identity.command', which is not set"),
      (["profile": "a"], "identity.profile=a needs 'identity.token', which is not set"),
    ] as [(JSONObject, String)])
  func needs(section: JSONObject, text: String) {
    let problems = ProfileLinter(settings: Self.table).problems(in: ["identity": .object(section)])
    #expect(problems.map(\.text) == [text])
    #expect(problems.map(\.problem) == [.contradiction])
  }

  @Test("say that the service gets a token, which no request to it has without them")
  func service() throws {
    var profile = try Profile(name: try ProfileName("p"), settings: Self.table)
    try profile.set("resourceURL", to: "https://api.test")
    try profile.set("identity.url", to: "https://service.test")
    let url = try HTTPURL("https://service.test/x")
    #expect(!profile.allowsCredential(to: url))
    let summary = try #require(Self.table.named("identity.url")?.summary)
    #expect(summary.contains("gets the token of identity.token"))
  }

  @Test("are told once of a host that another one names")
  func once() throws {
    let members: JSONObject = [
      "endpoints": ["token": "https://b.test"], "identity": ["url": "https://b.test/x"],
    ]
    let found = ProfileLinter(settings: Self.table).problems(in: members)
    #expect(found.map(\.subject) == ["endpoints.token"])
  }
}
