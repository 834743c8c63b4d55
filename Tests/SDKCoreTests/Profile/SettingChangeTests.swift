import JSON
import Testing

@testable import SDKCore

@Suite("Changes of settings")
struct SettingChangeTests {
  /// Settings before and after, and what the change of the key does.
  static let rows: [(key: String, old: JSON?, new: JSON?, effect: SettingChange.Effect?)] = [
    ("pinPolicy", nil, "report", .weaker), ("pinPolicy", "report", "enforce", nil),
    ("dpop", "required", "on", .weaker), ("dpop", "on", nil, .weaker), ("dpop", nil, "on", nil),
    ("pkce", nil, false, .weaker), ("pkce", false, true, nil), ("pkce", nil, true, nil),
    ("par", true, nil, .weaker), ("debugDetection", true, false, .weaker),
    ("debugDetection", nil, false, nil), ("payloadEncryption", true, false, .weaker),
    ("insecureLoopback", nil, true, .weaker), ("insecureLoopback", true, nil, nil),
    ("passwordGrant", nil, true, .weaker), ("narrowedRefresh", false, true, .weaker),
    ("fido.noVerification", nil, true, .weaker), ("fido.pinMinimumLength", nil, 4, .weaker),
    ("seal.pinMinimumLength", nil, 4, .weaker), ("seal.pinAttempts", 3, nil, .weaker),
    ("seal.slots", "user implicit", "user", .weaker), ("seal.slots", nil, "user", nil),
    ("seal.pinSequences", nil, true, .weaker), ("fido.pinMinimumLength", 4, 8, nil),
    ("fido.pinAttempts", nil, 100, .weaker),
    ("resourceURL", "https://a.test", "https://b.test", .elsewhere),
    ("resourceURL", nil, "https://b.test", nil),
    ("endpoints.token", "https://a.test", "https://b.test", .elsewhere),
    ("pinReportURL", nil, "https://b.test", nil),
    ("allowedHosts", ["a.test"], ["a.test", "b.test"], .elsewhere),
    ("allowedHosts", ["a.test", "b.test"], ["a.test"], nil),
    ("allowedHosts", nil, ["b.test"], .elsewhere), ("caFile", nil, "/ca.pem", .elsewhere),
    ("extraCAFile", nil, "/ca.pem", .elsewhere), ("proxy", nil, "none", .elsewhere),
    ("redirectURI", "a.b:/", "c.d:/", .elsewhere), ("redirectURI", nil, "c.d:/", nil),
    ("identity.command", nil, "rm -rf", .elsewhere), ("scope", "a", "b", nil),
    ("tokenParameters", nil, "a=@/f", .elsewhere), ("tokenParameters", nil, "a=f", nil),
    ("form.passwordFile", "/a", "/b", .elsewhere), ("clientID", "a", "b", .elsewhere),
  ]

  @Test("tell what protects less and what leads elsewhere", arguments: rows)
  func effects(row: (key: String, old: JSON?, new: JSON?, effect: SettingChange.Effect?)) throws {
    func profile(_ value: JSON?) throws -> Profile {
      var profile = try Profile(name: try ProfileName("a"), members: ["issuer": "https://id.test"])
      try profile.set(row.key, to: value)
      return profile
    }
    let changes = try profile(row.old).changes(to: profile(row.new))
    #expect(changes.map(\.key) == [row.key])
    #expect(changes.map(\.effect) == [row.effect])
    let excused = try profile(row.old).changes(to: profile(row.new), usual: [row.key])
    #expect(excused.map(\.effect) == [nil])
  }

  @Test("of a new profile lead nowhere else, but may run a program")
  func new() throws {
    let name = try ProfileName("a")
    let new = try Profile(
      name: name,
      members: [
        "issuer": "https://id.test", "caFile": "/ca.pem", "allowedHosts": ["b.test"],
        "identity": ["command": "x"],
      ])
    let changes = try Profile(name: name).changes(to: new)
    #expect(changes.filter { $0.effect != nil }.map(\.key) == ["identity.command"])
    #expect(try Profile(name: name).changes(to: Profile(name: name)).isEmpty)
  }

  @Test("know every flag of the table of keys, or say that it protects nothing")
  func flags() {
    let others: Set = [
      "discovery", "form.page", "insecureLoopback", "passwordGrant", "narrowedRefresh",
    ]
    let known = Set(Profile.protections.map(\.key)).union(others)
    let flags = ProfileKey.all.filter { $0.words == ["true", "false"] }.map(\.name)
    #expect(Set(flags).subtracting(known).isEmpty)
  }
}
