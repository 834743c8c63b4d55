import Testing

@testable import Sandbox

@Suite("Levels of authentication have names")
struct AuthenticationLevelTests {
  @Test(
    "a level is called by the first name asked for that it satisfies",
    arguments: [
      (AuthenticationLevel.password, [], "urn:sandbox:pwd"),
      (.password, ["urn:sandbox:loa:1"], "urn:sandbox:loa:1"),
      (.password, ["urn:sandbox:otp", "urn:sandbox:loa:1"], "urn:sandbox:loa:1"),
      (.password, ["urn:sandbox:otp"], "urn:sandbox:pwd"),
      (.secondFactor, ["urn:other", "urn:sandbox:loa:2"], "urn:sandbox:loa:2"),
      (.secondFactor, ["urn:sandbox:pwd"], "urn:sandbox:pwd"),
      (.secondFactor, ["urn:other"], "urn:sandbox:otp"),
    ])
  func names(level: AuthenticationLevel, asked: [String], name: String) {
    #expect(level.name(for: asked) == name)
  }

  @Test("every name that is announced is the name of one level")
  func announced() {
    #expect(Set(AuthenticationLevel.supported).count == 4)
    #expect(AuthenticationLevel.supported.allSatisfy { AuthenticationLevel(named: $0) != nil })
    #expect(AuthenticationLevel(named: "urn:other") == nil)
  }
}
