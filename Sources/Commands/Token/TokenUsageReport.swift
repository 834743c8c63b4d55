import JSON
import SDKCore

/// What servers of the Onegini family return about a token; empty for other servers.
struct TokenUsageReport {
  private let tokens: TokenSet

  init(_ tokens: TokenSet) { self.tokens = tokens }

  var json: JSONObject {
    let members: [String: JSON?] = [
      "profileID": tokens.profileID.map { .string($0) },
      "usageCount": tokens.usageCount.map { .int($0) },
      "usageLimit": tokens.usageLimit.map { .int($0) },
      "biometric": tokens.hasBiometricToken ? true : nil,
    ]
    return JSONObject(present: members)
  }

  /// For a person; `nil` when there is no limit.
  var words: String? {
    tokens.usageLimit.map { "for \($0) uses, of which \(tokens.usageCount ?? 0) were made" }
  }
}
