import JSON
import Primitives
import SDKCore

extension TokenSet {
  /// Whether a new access token can be obtained, as the end of a line.
  var renewal: String { isSealed ? ", sealed" : isRefreshable ? ", can be refreshed" : "" }
}

extension StoredTokens {
  /// Until when they can be used, and whether they can be renewed.
  func words(at now: Timestamp) -> String {
    (provider?.expires.map { Age.text(of: $0, at: now) } ?? "no known end")
      + (tokens?.renewal ?? "")
  }

  /// The same for programs: `expires`, `expired` and `refreshable`.
  func state(at now: Timestamp) -> JSON {
    let expires = provider?.expires
    return [
      "expires": JSON(expires?.description), "expired": .bool(expires.map { $0 <= now } ?? false),
      "refreshable": .bool(tokens?.isRefreshable == true),
    ]
  }
}
