/// Who is signed in, by the cookie of the browser.
struct BrowserSessions: Sendable {
  struct Session: Sendable {
    let id: String
    let subject: String
    let authenticatedAt: Int
    let acr: String
    let amr: [String]
    /// What this person allowed in this session, by client: scopes that need no second question.
    var consents: [String: Set<String>] = [:]
  }

  private var byCookie: [String: Session] = [:]
  private static let lifetime = 8 * 3600

  mutating func open(subject: String, acr: String, amr: [String], now: Int) -> String {
    byCookie = byCookie.filter { now - $0.value.authenticatedAt < Self.lifetime }
    let cookie = Secret.make()
    byCookie[cookie] = Session(
      id: Secret.name("sid-"), subject: subject, authenticatedAt: now, acr: acr, amr: amr)
    return cookie
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
