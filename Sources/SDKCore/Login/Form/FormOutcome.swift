import HTTP
import Primitives

/// Decides whether a login on the provider's pages has succeeded, and reads its cookies or its JWT.
///
/// A login has succeeded if `form.successURL` was reached, and the cookies and the JWT that the profile
/// names are there. Without these settings it has succeeded if the provider has returned a JWT, or a cookie
/// that is new since the password was sent, on a page that asks for nothing more.
struct FormOutcome {
  private let settings: FormSettings
  private let page: FormPages.Page
  private let cookies: [Cookie]
  private let before: [Cookie]

  init(
    _ settings: FormSettings, _ page: FormPages.Page, _ cookies: [Cookie],
    _ before: [Cookie]
  ) {
    self.settings = settings
    self.page = page
    self.cookies = cookies
    self.before = before
  }

  /// Whether the login is over; `step` is the form with which it could go on.
  func isSuccess(with step: FormStep?) -> Bool {
    guard missing == nil else { return false }
    return isDecided || !settings.cookies.isEmpty || step?.isAutomatic ?? true
  }

  /// Whether the login has reached `form.successURL`, with all that the profile names.
  var isDecided: Bool { settings.successURL != nil && missing == nil }

  /// The condition of a success that is not met, in words; `nil` if all are.
  var missing: String? {
    if let url = settings.successURL, !Self.begins(page.url, with: url) {
      return "it leads to \(page.url.origin)\(page.url.path), not to form.successURL"
    }
    if let name = settings.cookies.first(where: { cookie($0) == nil }) {
      return "it did not set the cookie '\(name)'"
    }
    if settings.provider == "jwt" { return jwt == nil ? "its response has no JWT" : nil }
    if settings.provider == nil, jwt != nil { return nil }
    if cookies.isEmpty { return "it set no cookie" }
    let isKnown = settings.successURL != nil || !settings.cookies.isEmpty
    return isKnown || cookies.contains { !before.contains($0) } ? nil : "it set no new cookie"
  }

  /// The JWT or the cookies of the login of a user with that name.
  func provider(of user: String?, at now: Timestamp) throws(SDKError) -> AuthorizationProvider {
    if settings.provider != "cookies", let jwt {
      return try AuthorizationProvider(jwt: jwt, obtained: now)
    }
    let kept = settings.cookies.isEmpty ? cookies : cookies.filter { isNamed($0) }
    var session = CookieSession(kept, obtained: now)
    session.user = user
    return .cookies(session)
  }

  private var jwt: String? {
    if let place = settings.jwt { return token(at: place) }
    for place in TokenPlace.usual { if let token = token(at: place) { return token } }
    return nil
  }

  /// Redirects may have the token in a field too.
  private func token(at place: TokenPlace) -> String? {
    for response in page.hops.reversed() {
      if let token = place.token(in: response, cookies) { return token }
    }
    return nil
  }

  private func cookie(_ name: String) -> Cookie? {
    cookies.first { sameIdentifier($0.name, name) }
  }

  private func isNamed(_ cookie: Cookie) -> Bool {
    settings.cookies.contains { sameIdentifier($0, cookie.name) }
  }

  /// Whether a URL has the origin of another one, and its path begins with the other's.
  private static func begins(_ url: HTTPURL, with start: HTTPURL) -> Bool {
    url.sharesOrigin(with: start) && url.target.utf8.starts(with: start.target.utf8)
  }
}
