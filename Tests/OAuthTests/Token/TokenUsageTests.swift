import JSON
import Testing

@testable import OAuth

@Suite("Usage of tokens")
struct TokenUsageTests {
  @Test(
    "is read from a response, and absent if it has another type",
    arguments: [
      ([:], TokenUsage()),
      (
        ["profile_id": "p1", "usage_count": 1, "usage_limit": 3, "biometric": "b-token"],
        TokenUsage(profileID: "p1", count: 1, limit: 3, isBiometric: true)
      ),
      (
        ["profile_id": 7, "usage_count": "1", "usage_limit": JSON.null, "biometric": ""],
        TokenUsage()
      ),
      (["usage_limit": 0, "usage_count": 5], TokenUsage(count: 5)),
      (["usage_limit": -1, "biometric": true], TokenUsage()),
    ] as [([String: JSON?], TokenUsage)])
  func read(members: [String: JSON?], usage: TokenUsage) throws {
    let answer = JSONObject(present: members).merging(["access_token": "a", "token_type": "bearer"])
    { $1 }
    #expect(try TokenResponse(answer).usage == usage)
  }

  @Test(
    "is at its end when the count has reached the limit",
    arguments: [
      (nil, nil, false), (5, nil, false), (nil, 1, false), (0, 1, false), (1, 1, true),
      (2, 1, true), (1, 0, false),
    ] as [(Int64?, Int64?, Bool)])
  func usedUp(count: Int64?, limit: Int64?, isUsedUp: Bool) {
    #expect(TokenUsage(count: count, limit: limit).isUsedUp == isUsedUp)
  }

  @Test("keeps the user after a refresh, and starts to count again")
  func following() {
    let old = TokenUsage(profileID: "p1", count: 3, limit: 3, isBiometric: true)
    #expect(TokenUsage().following(old) == TokenUsage(profileID: "p1", isBiometric: true))
    let new = TokenUsage(profileID: "p2", count: 0, limit: 5)
    #expect(
      new.following(old) == TokenUsage(profileID: "p2", count: 0, limit: 5, isBiometric: true))
    #expect(new.following(nil) == new)
  }
}
