package import HTTP

extension FormParameters {
  /// Adds `prompt=consent`, without which servers ignore `offline_access` (OpenID Connect
  /// Core 1.0 section 11), unless the request is one that asks nobody or that signs up.
  package mutating func askForConsent() {
    let words = (self["prompt"] ?? "").split(separator: " ").map(String.init)
    guard Set(words).isSubset(of: ["login", "select_account"]) else { return }
    self["prompt"] = (words + ["consent"]).joined(separator: " ")
  }
}
