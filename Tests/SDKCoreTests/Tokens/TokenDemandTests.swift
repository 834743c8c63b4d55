import CoreTestSupport

@testable import SDKCore

@Suite("How fresh a token must be")
struct TokenDemandTests {
  private static func token(
    _ text: String, obtained: Int64, expires: Int64
  ) -> AuthorizationProvider {
    .bearer(
      TokenSet(
        accessToken: text, expires: Timestamp(expires), scope: nil, refreshToken: nil,
        obtained: Timestamp(obtained)))
  }

  @Test(
    "a token with less life than is required will do only if it was obtained since",
    arguments: [
      ("new", 1000, 1020, true), ("new", 996, 1020, true), ("new", 400, 1020, false),
      ("new", 400, 2000, true), ("old", 1000, 1020, false),
    ] as [(String, Int64, Int64, Bool)])
  func another(text: String, obtained: Int64, expires: Int64, isMet: Bool) {
    let demand = TokenDemand(minimumLifetime: 600)
    let before = Self.token("old", obtained: 300, expires: 1000)
    let current = Self.token(text, obtained: obtained, expires: expires)
    #expect(
      demand.isMet(by: current, renewedFrom: before, since: 1000, at: 1000) == isMet)
  }

  @Test("a login that was kept without access token has no valid one")
  func kept() {
    let tokens = TokenSet(
      accessToken: "", expires: nil, scope: nil, refreshToken: "r", obtained: 0)
    #expect(!tokens.hasAccessToken)
    #expect(!tokens.isValid(at: 0, minimumLifetime: 0))
  }
}
