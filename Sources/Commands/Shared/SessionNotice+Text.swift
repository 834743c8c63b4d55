import SDKCore

extension SessionNotice {
  var text: String {
    switch self {
    case .mayBeLimited(let scope):
      "the server replaced the refresh token in a refresh with less scope; it may limit the login "
        + "to '\(scope)' from now on"
    case .scopeLost(let words):
      "the server refreshed the token with less scope than the login had; missing: "
        + words.joined(separator: " ")
    case .damagedTokens(let slot, let cause):
      "the stored tokens of the slot \(slot.rawValue) were damaged and are gone (\(cause)); "
        + "the server may still hold their grant"
    case .renewalDiscarded(let slot):
      "a new token of the slot \(slot.rawValue) was dropped: the lock of the shared store was lost, and "
        + "another machine has stored a newer one"
    case .identityWithheld(let cause): cause
    case .unpinned(let hosts):
      "no key is pinned for \(hosts.joined(separator: ", ")), which the server names for later requests; "
        + "`sdkctl pin add` without a host pins what the profile needs"
    case .identityNotRetired(let name, let cause):
      "the identity '\(name)' is renewed; its former certificate could not be retired: \(cause)"
    case .responseRefused(let cause, let advice):
      "the browser's response was refused: \(cause); the login still waits"
        + (advice.map { ": \($0)" } ?? "")
    case .endedClient(let step): "the former client: \(step.words)"
    }
  }
}
