/// What an observer of identities knows of requests under way and of servers.
struct IdentityStates: Sendable {
  /// A request under way.
  struct Request: Sendable {
    /// The identity that it shows.
    var shown: Identity?
    /// Whether that was obtained for this request, or for one that it has waited for.
    var isFresh = false
    /// Whether the server may decide without a certificate, because there is none.
    var goesWithout = false
    /// Whether it was repeated after the connection closed without a reason.
    var hasRepeated = false
    /// What it must end for others.
    var lead: Lead?
  }

  /// A new identity that is tried for the first time.
  struct Lead: Sendable {
    let host: String
    let lock: HeldLocks?
    let landing: IdentityFlights.Landing
  }

  /// The requests under way.
  var requests: [ObservedRequest.ID: Request] = [:]
  /// The identities that servers have not refused, by origin.
  var known: [String: Identity] = [:]
}
