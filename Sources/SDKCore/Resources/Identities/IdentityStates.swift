import HTTP

/// What an observer of identities knows of requests under way and of servers.
struct IdentityStates: Sendable {
  /// A request under way.
  struct Request: Sendable {
    /// The identity that it shows.
    var shown: Identity?
    /// Whether that was chosen before the server has named its authorities.
    var isGuess = false
    /// Whether that was obtained for this request, or for one that it has waited for.
    var isFresh = false
    /// Whether the server may decide without a certificate, because there is none.
    var goesWithout = false
    /// Why there is none, although the host has some.
    var objection: SDKError?
    /// Whether it was repeated after the connection closed without a reason.
    var hasRepeated = false
    /// What it must end for others.
    var lead: Lead?
  }

  /// A new identity that is tried for the first time.
  struct Lead: Sendable {
    let host: String
    let lock: HeldLocks?
    let decision: IdentityDecisions.Decision
  }

  /// The requests under way, except those that show nothing and of which nothing is known.
  var requests: [ObservedRequest.ID: Request] = [:]
  /// What requests to a server show at once.
  struct Known: Sendable {
    /// An identity that the server has not refused; `nil` for none.
    let identity: Identity?
    /// See ``Request/isGuess``.
    let isGuess: Bool
  }

  /// The origins for which it was said why nothing is shown.
  var told: Set<String> = []
  /// What requests show, by origin.
  var known: [String: Known] = [:]

  /// What is known of a request that is about to be sent; `nil` if the store must be asked first.
  mutating func begin(_ id: ObservedRequest.ID, at url: HTTPURL) -> Request? {
    if let request = requests[id] { return request }
    guard let known = known[url.origin] else { return nil }
    guard let identity = known.identity else { return Request() }
    let request = Request(shown: identity, isGuess: known.isGuess)
    requests[id] = request
    return request
  }

  /// Notes that a server did not refuse what a request showed; returns what the request must end.
  mutating func accept(_ id: ObservedRequest.ID, at url: HTTPURL?) -> Lead? {
    guard let request = requests[id] else { return nil }
    if let url, let shown = request.shown {
      known[url.origin] = Known(identity: shown, isGuess: request.isGuess)
    }
    guard let lead = request.lead else { return nil }
    requests[id]?.lead = nil
    return lead
  }
}
