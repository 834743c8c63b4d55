import HTTP
import JSON
import Primitives

/// The settings of a profile for the login on the provider's pages: its section `form`.
struct FormSettings: Sendable {
  let profile: Profile
  /// The URL of the page with the form; without a page, the URL that the form is sent to.
  let url: HTTPURL

  /// Reads the section `form`.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` without `form.url`.
  init(_ profile: Profile) throws(SDKError) {
    guard let url = profile.formURL else {
      throw SDKError(
        .invalidConfiguration, cause: "the profile has no form.url", subject: "form.url",
        remedy: .setProfile(key: "form.url", value: nil))
    }
    self.profile = profile
    self.url = url
  }

  /// Whether the page is fetched and its form is filled in.
  var fetchesPage: Bool { profile.formFetchesPage }
  var userField: String? { profile.formUserField }
  var passwordField: String? { profile.formPasswordField }
  var user: String? { profile.formUser }
  var passwordFile: String? { profile.formPasswordFile }
  /// The names of the fields that the user fills in, in addition to user name and password.
  var questions: [String] { profile.formQuestions }
  /// The names of the session's cookies; empty for all cookies.
  var cookies: [String] { profile.formCookies }
  var successURL: HTTPURL? { profile.formSuccessURL }
  /// `cookies` or `jwt`; `nil` to decide by the response.
  var provider: String? { profile.formProvider }
  var jwt: TokenPlace? { profile.formJWT }
  /// Values of other fields, which override those of the page.
  var parameters: FormParameters { profile.formParameters }

  /// Whether the login may send a request to a URL: forms and redirects of a page may lead anywhere.
  func allows(_ url: HTTPURL) -> Bool {
    if url.sharesOrigin(with: self.url) || profile.allowsCredential(to: url) { return true }
    return url.scheme == .https
      && profile.formHosts.contains { HostAndPort($0) == HostAndPort(url) }
  }
}
