import CoreTestSupport

@testable import PageLogin
@testable import SDKCore

@Suite("The settings of logins on pages")
struct FormKeysTests {
  private static let table = SettingTable([.pages])

  @Test(
    "tell what leads elsewhere and what names a file",
    arguments: [
      ("form.url", "https://b.test", .elsewhere), ("form.hosts", ["b.test"], .elsewhere),
      ("form.successURL", "https://b.test", .elsewhere),
      ("form.logoutURL", "https://b.test", .elsewhere), ("form.passwordFile", "/b", .local),
      ("form.user", "alice", nil), ("form.url", "https://id.test/login", nil),
    ] as [(String, JSON, SettingChange.Effect?)])
  func effects(key: String, value: JSON, effect: SettingChange.Effect?) throws {
    #expect(try Self.table.effects(ofSetting: key, to: value) == [effect])
  }

  @Test("make the page a server of a new profile without an issuer, and need it")
  func server() throws {
    let name = try ProfileName("a")
    let old = try Profile(name: name, settings: Self.table)
    let new = try Profile(
      name: name, members: ["form": ["url": "https://www.test"]], settings: Self.table)
    #expect(old.changes(to: new).map(\.effect) == [nil])
    #expect(new.loginMeans == .form && old.loginMeans == .browser)
    let problems = ProfileLinter(settings: Self.table)
    #expect(
      problems.problems(in: ["reauthenticate": "form", "form": ["user": "a"]]).map(\.text) == [
        "reauthenticate=form needs 'form.url', which is not set",
        "form.user=a needs 'form.url', which is not set",
      ])
  }

  @Test("name the fields whose values are secrets")
  func secrets() throws {
    let profile = try Profile(
      name: try ProfileName("a"),
      members: [
        "form": ["passwordField": "pw", "questions": "otp pin", "jwt": "member:a.token"]
      ], settings: Self.table)
    #expect(profile.secretNames == ["pw", "otp", "pin", "token"])
  }
}
