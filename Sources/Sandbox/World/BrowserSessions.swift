/// Who is signed in, by the cookie of the browser.
struct BrowserSessions: Sendable {
  struct Session: Sendable {
    let id: String
    let subject: String
    /// When the person last showed something that only they have.
    var authenticatedAt: Int
    var level: AuthenticationLevel
    /// What this person allowed in this session, by client: scopes that need no second question.
    var consents: [String: Set<String>] = [:]
  }

  private var byCookie: [String: Session] = [:]
  private static let lifetime = 8 * 3600

  mutating func open(subject: String, now: Int) -> String {
    byCookie = byCookie.filter { now - $0.value.authenticatedAt < Self.lifetime }
    let cookie = Secret.make()
    byCookie[cookie] = Session(
      id: Secret.name("sid-"), subject: subject, authenticatedAt: now, level: .password)
    return cookie
  }

  /// Notes that the person of a session showed a second factor.
  mutating func raise(_ cookie: String?, now: Int) {
    guard let cookie else { return }
    byCookie[cookie]?.level = .secondFactor
    byCookie[cookie]?.authenticatedAt = now
  }

  func session(_ cookie: String?, now: Int) -> Session? {
    guard let cookie, let session = byCookie[cookie],
      now - session.authenticatedAt < Self.lifetime
    else { return nil }
    return session
  }

  mutating func remember(_ scopes: [String], for clientID: String, cookie: String) {
    byCookie[cookie]?.consents[clientID, default: []].formUnion(scopes)
  }

  /// Takes over what was allowed in the session that a new sign-in of the same person replaces.
  mutating func carryConsents(from old: String?, to new: String) {
    guard let old, let former = byCookie[old], former.subject == byCookie[new]?.subject else {
      return
    }
    byCookie[new]?.consents = former.consents
    byCookie[old] = nil
  }

  mutating func close(cookie: String) { byCookie[cookie] = nil }

  mutating func close(id: String) { byCookie = byCookie.filter { $0.value.id != id } }
}
