import JSON

/// Whose token it is and how often it may be used, as servers of the Onegini family tell it.
///
/// The members `profile_id`, `usage_count`, `usage_limit`, `biometric` and `payload_encryption` of a
/// token response.
package struct TokenUsage: Sendable, Hashable {
  /// The user's profile at the server.
  package let profileID: String?
  /// How often the access token had been used when it was sent.
  package let count: Int64?
  /// How often it may be used; `nil` for any number of times.
  package let limit: Int64?
  /// Whether a second refresh token for biometric logins came along, which is not kept.
  package let isBiometric: Bool
  /// Whether requests and responses of resources must be encrypted.
  package let encryptsPayload: Bool

  package init(
    profileID: String? = nil, count: Int64? = nil, limit: Int64? = nil, isBiometric: Bool = false,
    encryptsPayload: Bool = false
  ) {
    self.profileID = profileID
    self.count = count
    self.limit = limit.flatMap { $0 > 0 ? $0 : nil }
    self.isBiometric = isBiometric
    self.encryptsPayload = encryptsPayload
  }

  /// Reads a token response; a member of another type counts as absent, for nothing breaks by it.
  init(_ document: JSONObject) {
    self.init(
      profileID: document["profile_id"]?.string, count: document["usage_count"]?.int,
      limit: document["usage_limit"]?.int,
      isBiometric: document["biometric"]?.string?.isEmpty == false,
      encryptsPayload: document["payload_encryption"]?.bool == true)
  }

  /// The usage after that of the previous response: the owner of the grant does not change.
  package func following(_ old: TokenUsage?) -> TokenUsage {
    TokenUsage(
      profileID: profileID ?? old?.profileID, count: count, limit: limit,
      isBiometric: isBiometric || old?.isBiometric == true,
      encryptsPayload: encryptsPayload || old?.encryptsPayload == true)
  }

  /// Whether the access token has been used as often as it may.
  package var isUsedUp: Bool {
    guard let count, let limit else { return false }
    return count >= limit
  }
}
