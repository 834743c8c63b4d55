import JSON

/// The logins at the gateway that a cookie or a JWT stands for.
struct GatewaySessions: Sendable {
  struct Session: Sendable {
    let subject: String
    /// When it ends: seconds since 1970.
    let end: Int
    /// Whether the person authenticated with FIDO UAF.
    let usedFIDO: Bool
  }

  private var byCookie: [String: Session] = [:]
  /// JWTs of an earlier generation are not good any more.
  private(set) var generation = 0

  /// Opens a session, and returns the value of its cookie.
  mutating func open(_ session: Session) -> String {
    if byCookie.count > 10_000 { byCookie = [:] }
    let value = Secret.make()
    byCookie[value] = session
    return value
  }

  func session(_ cookie: String?, now: Int) -> Session? {
    guard let cookie, let session = byCookie[cookie], session.end > now else { return nil }
    return session
  }

  /// The session of a JWT with these claims.
  ///
  /// Of all tokens, only those of the gateway have a generation.
  func session(of claims: JSON, now: Int) -> Session? {
    guard claims["generation"]?.integer == generation, let end = claims["exp"]?.integer, end > now,
      let subject = claims["sub"]?.string
    else { return nil }
    return Session(subject: subject, end: end, usedFIDO: claims["amr"] == ["fido"])
  }

  /// Ends all sessions.
  mutating func end() {
    byCookie = [:]
    generation += 1
  }
}
