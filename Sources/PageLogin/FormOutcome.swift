import HTTP
import Primitives
import SDKCore

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
    return isDecided || !settings[FormKeys.cookies].isEmpty || step?.isAutomatic ?? true
  }

  /// Whether the login has reached `form.successURL`, with all that the profile names.
  var isDecided: Bool { settings[FormKeys.successURL] != nil && missing == nil }

  /// The condition of a success that is not met, in words; `nil` if all are.
  var missing: String? {
    if let url = settings[FormKeys.successURL], !Self.begins(page.url, with: url) {
      return "it leads to \(page.url.origin)\(page.url.path), not to form.successURL"
    }
    if let missing = returned.missing { return missing }
    if returned.isToken { return nil }
    let isKnown = settings[FormKeys.successURL] != nil || !settings[FormKeys.cookies].isEmpty
    return isKnown || hasNewCookie ? nil : "it set no new cookie"
  }

  /// The JWT or the cookies of the login of a user with that name.
  func provider(of user: String?, at now: Timestamp) throws(SDKError) -> AuthorizationProvider {
    try returned.provider(of: user, at: now)
  }

  private var returned: ReturnedCredential {
    ReturnedCredential(
      kind: settings[FormKeys.provider], place: settings[FormKeys.jwt],
      names: settings[FormKeys.cookies],
      responses: page.hops, cookies: cookies,
      // Beside the cookies of a login, another text of that name may protect a form.
      allowsOpaque: settings[FormKeys.provider] == "jwt" || settings[FormKeys.jwt] != nil
        || settings[FormKeys.cookies].isEmpty && !hasNewCookie)
  }

  private var hasNewCookie: Bool { cookies.contains { !before.contains($0) } }

  /// Whether a URL has the origin of another one, and its path begins with the other's.
  private static func begins(_ url: HTTPURL, with start: HTTPURL) -> Bool {
    url.sharesOrigin(with: start) && url.target.utf8.starts(with: start.target.utf8)
  }
}
