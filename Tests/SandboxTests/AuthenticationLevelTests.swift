import Testing

@testable import Sandbox

@Suite("Levels of authentication have names")
struct AuthenticationLevelTests {
  @Test("every name that is announced is the name of one level")
  func announced() {
    #expect(Set(AuthenticationLevel.supported).count == 4)
    #expect(AuthenticationLevel.supported.allSatisfy { AuthenticationLevel(named: $0) != nil })
    #expect(AuthenticationLevel(named: "urn:other") == nil)
  }
}
