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
    guard let text = profile["form.url"]?.string, let url = try? HTTPURL(text) else {
      throw SDKError(
        .invalidConfiguration, cause: "the profile has no form.url", subject: "form.url",
        remedy: .setProfile(key: "form.url", value: nil))
    }
    self.profile = profile
    self.url = url
  }

  /// Whether the page is fetched and its form is filled in.
  var fetchesPage: Bool { profile["form.page"]?.bool ?? true }
  var userField: String? { text("userField") }
  var passwordField: String? { text("passwordField") }
  var user: String? { text("user") }
  var passwordFile: String? { text("passwordFile") }
  /// The names of the fields that the user fills in, in addition to user name and password.
  var questions: [String] { words("questions") }
  /// The names of the session's cookies; empty for all cookies.
  var cookies: [String] { words("cookies") }
  var successURL: HTTPURL? { text("successURL").flatMap { try? HTTPURL($0) } }
  /// `cookies` or `jwt`; `nil` to decide by the response.
  var provider: String? { text("provider") }
  var jwt: TokenPlace? { text("jwt").flatMap(TokenPlace.init) }

  /// Values of other fields, which override those of the page.
  var parameters: FormParameters {
    text("parameters").flatMap { FormParameters(encoded: $0) } ?? FormParameters()
  }

  /// Whether the login may send a request to a URL: forms and redirects of a page may lead anywhere.
  func allows(_ url: HTTPURL) -> Bool {
    if url.sharesOrigin(with: self.url) || profile.allowsCredential(to: url) { return true }
    let named = profile["form.hosts"]?.strings ?? []
    return url.scheme == .https && named.contains { HostAndPort($0) == HostAndPort(url) }
  }

  private func text(_ key: String) -> String? { profile["form.\(key)"]?.string }

  private func words(_ key: String) -> [String] {
    text(key)?.words ?? []
  }
}
