import HTTP
import JSON
import Primitives

/// What a profile says about the login on the provider's pages.
struct FormSettings: Sendable {
  let profile: Profile
  /// The page with the form, or where the form is sent.
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

  /// Whether the page is fetched, for the form on it.
  var fetchesPage: Bool { profile["form.page"]?.bool ?? true }
  var userField: String? { text("userField") }
  var passwordField: String? { text("passwordField") }
  var user: String? { text("user") }
  var passwordFile: String? { text("passwordFile") }
  /// Names of fields that a person fills in beside user name and password.
  var questions: [String] { words("questions") }
  /// The cookies that make the session; empty if all do.
  var cookies: [String] { words("cookies") }
  var successURL: HTTPURL? { text("successURL").flatMap { try? HTTPURL($0) } }
  /// `cookies` or `jwt`; `nil` for what the login yields.
  var provider: String? { text("provider") }
  var jwt: TokenPlace? { text("jwt").flatMap(TokenPlace.init) }

  /// Values of other fields, which override those of the page.
  var parameters: FormParameters {
    text("parameters").flatMap { FormParameters(encoded: $0) } ?? FormParameters()
  }

  /// Whether the login may send a request there: a page decides where its form goes.
  func allows(_ url: HTTPURL) -> Bool {
    if url.sharesOrigin(with: self.url) || profile.allowsCredential(to: url) { return true }
    let named = profile["form.hosts"]?.strings ?? []
    return url.scheme == .https && named.contains { AllowedHost($0) == AllowedHost(url) }
  }

  private func text(_ key: String) -> String? { profile["form.\(key)"]?.string }

  private func words(_ key: String) -> [String] {
    text(key)?.split(separator: " ").map(String.init) ?? []
  }
}
