import JSON
import Primitives
import SDKCore

extension TokenSet {
  /// Whether a new access token can be obtained, as the end of a line.
  var renewal: String { isSealed ? ", sealed" : canBeRefreshed ? ", can be refreshed" : "" }
}

extension StoredTokens {
  /// Until when they can be used, and whether they can be renewed.
  func words(at now: Timestamp, local: (Timestamp) -> String? = { _ in nil }) -> String {
    let end =
      tokens?.hasAccessToken == false
      ? "no access token"
      : provider?.expires.map { Age.text(of: $0, at: now, local: local) } ?? "no known end"
    return end + (tokens?.renewal ?? "")
  }

  /// The same for programs: `expires`, `expired` and `refreshable`.
  func state(at now: Timestamp) -> JSON {
    let expires = provider?.expires
    return [
      "expires": JSON(expires?.description),
      "expired": .bool(expires.map { $0 <= now } ?? (tokens?.hasAccessToken == false)),
      "refreshable": .bool(tokens?.canBeRefreshed == true),
    ]
  }
}

extension [StoredTokens] {
  /// The slots in one line.
  func words(at now: Timestamp) -> String {
    guard !isEmpty else { return "not logged in" }
    return map { stored in
      let words = stored.error == nil ? stored.words(at: now) : "cannot be read"
      return "\(stored.slot.rawValue): \(words)"
    }.joined(separator: "; ")
  }

  /// The state of each slot, by its name.
  func states(at now: Timestamp) -> JSON {
    let states: [(String, JSON?)] = map { ($0.slot.rawValue, $0.state(at: now)) }
    return .members(Dictionary(uniqueKeysWithValues: states))
  }
}
