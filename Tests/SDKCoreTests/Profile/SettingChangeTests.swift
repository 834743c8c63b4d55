import CoreTestSupport

@testable import SDKCore

@Suite("Changes of settings")
struct SettingChangeTests {
  /// Settings before and after, and what the change of the key does.
  static let rows: [(key: String, old: JSON?, new: JSON?, effect: SettingChange.Effect?)] = [
    ("pinPolicy", nil, "report", .weaker), ("pinPolicy", "report", "enforce", nil),
    ("responseMode", "query.jwt", "query", .weaker), ("responseMode", nil, "form_post", nil),
    ("dpop", "required", "on", .weaker), ("dpop", "on", nil, .weaker), ("dpop", nil, "on", nil),
    ("pkce", nil, false, .weaker), ("pkce", false, true, nil), ("pkce", nil, true, nil),
    ("par", true, nil, .weaker), ("debugDetection", true, false, .weaker),
    ("debugDetection", nil, false, nil), ("payloadEncryption", true, false, .weaker),
    ("insecureLoopback", nil, true, .weaker), ("insecureLoopback", true, nil, nil),
    ("passwordGrant", nil, true, .weaker), ("narrowedRefresh", false, true, .weaker),
    ("seal.passcodeMinimumLength", nil, 4, .weaker), ("seal.passcodeAttempts", 3, nil, .weaker),
    ("seal.slots", "user implicit", "user", .weaker), ("seal.slots", nil, "user", nil),
    ("seal.passcodeSequences", nil, true, .weaker), ("seal.passcodeMinimumLength", 4, 8, nil),
    ("seal.passcodeAttempts", nil, 100, .weaker),
    ("resourceURL", "https://a.test", "https://b.test", .elsewhere),
    ("resourceURL", nil, "https://b.test", .elsewhere),
    ("endpoints.token", "https://a.test", "https://b.test", .elsewhere),
    ("endpoints.token", nil, "https://id.test/token", nil),
    ("endpoints.token", nil, "https://id.test:444/token", .elsewhere),
    ("allowedHosts", ["a.test"], ["a.test", "b.test"], .elsewhere),
    ("allowedHosts", ["a.test", "b.test"], ["a.test"], nil),
    ("allowedHosts", nil, ["b.test"], .elsewhere), ("caFile", nil, "/ca.pem", .local),
    ("extraCAFile", nil, "/ca.pem", .local), ("proxy", nil, "none", .elsewhere),
    ("redirectURI", "a.b:/", "c.d:/", .elsewhere), ("redirectURI", nil, "c.d:/", .elsewhere),
    ("redirectURI", nil, "http://127.0.0.1/", nil), ("noProxy", nil, "*", .elsewhere),
    ("noProxy", "a b", "a", nil), ("seal.passcodeBlocked", "1234 4321", "1234", .weaker),
    ("seal.passcodeSimilarDigits", nil, 9, .weaker),
    ("seal.passcodeMaximumLength", nil, 8, .weaker),
    ("scope", "a", "b", nil),
    ("tokenParameters", nil, "a=@/f", .local), ("tokenParameters", nil, "a=f", nil),
    ("clientID", "a", "b", .elsewhere),
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

  /// What each setting does in a profile that has it already, that has a server but not this setting, and that is new.
  static let imported: [String: (changed: Effect, added: Effect, new: Effect)] = {
    var effects: [String: (changed: Effect, added: Effect, new: Effect)] = [:]
    func all(_ keys: String, _ changed: Effect, _ added: Effect, _ new: Effect) {
      for key in keys.split(separator: " ") { effects[String(key)] = (changed, added, new) }
    }
    all(
      "issuer resourceURL clientID serverPublicKey", .elsewhere, .elsewhere,
      nil)
    all("redirectURI", .elsewhere, .elsewhere, nil)
    all(
      "allowedHosts proxy noProxy pinUpdateKey accountURL resetPasswordURL", .elsewhere,
      .elsewhere, .elsewhere)
    let endpoints = SettingTable.core.keys.map(\.name).filter { $0.hasPrefix("endpoints.") }
    all(endpoints.joined(separator: " "), .elsewhere, .elsewhere, .elsewhere)
    all("caFile extraCAFile libraryDirectories", .local, .local, .local)
    return effects
  }()

  typealias Effect = SettingChange.Effect?

  @Test(
    "of every setting, with and without a former value",
    arguments: SettingTable.core.keys.map(\.name))
  func every(key: String) throws {
    let row = try #require(SettingTable.core.named(key))
    let value = try row.value(from: row.example)
    let name = try ProfileName("a")
    func effect(_ former: JSONObject, _ old: JSON?, _ new: JSON) throws -> Effect {
      var before = try Profile(name: name, members: former)
      if let old { try before.set(key, to: old) }
      var after = before
      if former.isEmpty {
        try after.set("issuer", to: "https://main.test")
        try after.set("resourceURL", to: "https://main.test")
      }
      try after.set(key, to: new)
      return before.changes(to: after).first { $0.key == key }?.effect
    }
    let server: JSONObject = ["issuer": "https://main.test"]
    let other = Self.other(value, key)
    if let expected = Self.imported[key] {
      #expect(try effect(server, other, value) == expected.changed, "\(key) with a former value")
      #expect(try effect(server, nil, value) == expected.added, "\(key) without")
      #expect(try effect([:], nil, value) == expected.new, "\(key) of a new profile")
    } else if row.protectiveFlag == nil, !Self.weakening.contains(key) {
      for former in [server, [:]] {
        #expect(try effect(former, nil, value) == nil, "\(key) is said to be harmless")
      }
    } else {
      let effects = try [effect(server, nil, value), effect([:], nil, value)]
      #expect(effects.allSatisfy { $0 == nil || $0 == .weaker }, "\(key)")
    }
  }

  /// Settings that are no flags and may protect less.
  private static let weakening: Set = [
    "pinPolicy", "dpop", "responseMode", "accountClient", "seal.slots",
    "seal.passcodeMinimumLength", "seal.passcodeMaximumLength",
    "seal.passcodeSimilarDigits", "seal.passcodeBlocked", "seal.passcodeAttempts",
  ]

  /// Another value of the same type.
  private static func other(_ value: JSON, _ key: String) -> JSON {
    switch key {
    case "allowedHosts": ["other.test"]
    case "redirectURI": "other.app:/cb"
    case "proxy": "none"
    case "noProxy": "other.test"
    case "pinUpdateKey": .string(String(repeating: "A", count: 43))
    case "serverPublicKey": .string(String(repeating: "09", count: 32))
    case _ where value.string?.hasPrefix("https://") == true: "https://other.test"
    case _ where value.string?.hasPrefix("/") == true: "/other"
    default: "other"
    }
  }

  @Test("of a new profile: a host that is its server needs no consent, another one does")
  func new() throws {
    let name = try ProfileName("a")
    func marked(_ members: JSONObject) throws -> [String] {
      try Profile(name: name).changes(to: Profile(name: name, members: members))
        .filter { $0.effect != nil }.map(\.key)
    }
    let main: JSONObject = ["issuer": "https://id.test", "resourceURL": "https://api.test"]
    let own: JSONObject = [
      "endpoints": ["token": "https://id.test/t"], "allowedHosts": ["id.test"],
      "redirectURI": "com.a:/cb",
    ]
    #expect(try marked(main.merging(own) { $1 }).isEmpty)
    let others: JSONObject = [
      "endpoints": ["token": "https://e.test/t"], "allowedHosts": ["e.test"],
      "redirectURI": "https://e.test/cb",
    ]
    #expect(
      try marked(main.merging(others) { $1 }) == ["allowedHosts", "endpoints.token"])
    #expect(try Profile(name: name).changes(to: Profile(name: name)).isEmpty)
  }
}
