package import HTTP
package import Primitives

package struct ReturnedCredential: Sendable {
  /// `cookies` or `jwt`; `nil` for a JWT if there is one, else cookies.
  let kind: String?
  /// The place of the JWT; `nil` for the usual ones.
  let place: ReturnedTokenSource?
  /// The cookies that must be there, and the only ones that are stored; empty for all cookies.
  let names: [String]
  let responses: [HTTPResponse]
  let cookies: [Cookie]
  /// The JWT that the server names as such, if its protocol has a place for it.
  var token: String?
  var allowsOpaque = false

  package init(
    kind: String?, place: ReturnedTokenSource?, names: [String], responses: [HTTPResponse],
    cookies: [Cookie], token: String? = nil, allowsOpaque: Bool = false
  ) {
    (self.kind, self.place, self.names) = (kind, place, names)
    (self.responses, self.cookies, self.token) = (responses, cookies, token)
    self.allowsOpaque = allowsOpaque
  }

  /// Whether it is a JWT, or another token if that may be.
  package var isToken: Bool { kind != "cookies" && sessionToken != nil }

  package var missing: String? {
    if let name = names.first(where: { cookie($0) == nil }) {
      return "it did not set the cookie '\(name)'"
    }
    if isToken { return nil }
    if kind == "jwt" { return "its response has no JWT" }
    return cookies.isEmpty ? "it set no cookie" : nil
  }

  package func provider(
    of user: String?, at now: Timestamp
  ) throws(SDKError) -> AuthorizationProvider {
    if isToken, let sessionToken {
      return AuthorizationProvider(sessionToken: sessionToken, of: user, obtained: now)
    }
    let kept = names.isEmpty ? cookies : cookies.filter { isNamed($0) }
    var session = SessionCookies(kept, obtained: now)
    session.user = user
    return .cookies(session)
  }

  private var sessionToken: String? {
    if let jwt = found(in: ReturnedTokenSource.usual, ReturnedTokenSource.isJWT) { return jwt }
    if place == nil, let token { return token }
    return allowsOpaque
      ? found(in: ReturnedTokenSource.ofAnyToken, ReturnedTokenSource.isToken) : nil
  }

  private func found(in usual: [ReturnedTokenSource], _ isWanted: (String) -> Bool) -> String? {
    for place in place.map({ [$0] }) ?? usual {
      // Redirects may have the token in a field too.
      for response in responses.reversed() {
        if let text = place.text(in: response, cookies), isWanted(text) { return text }
      }
    }
    return nil
  }

  private func cookie(_ name: String) -> Cookie? {
    cookies.first { sameIdentifier($0.name, name) }
  }

  private func isNamed(_ cookie: Cookie) -> Bool {
    names.contains { sameIdentifier($0, cookie.name) }
  }
}
