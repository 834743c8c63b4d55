import CoreTestSupport

@testable import Commands

@Suite("Parameters of token requests")
struct TokenParameterTests {
  @Test("of a profile that name files are what an import must agree to")
  func files() throws {
    let profile = try Profile(name: try ProfileName("p"))
    for (value, effect) in [("a=@/etc/secret", SettingChange.Effect.local), ("a=b", nil)] {
      var new = profile
      try new.set("tokenParameters", to: .string(value))
      #expect(profile.changes(to: new).map(\.effect) == [effect])
    }
  }
}
