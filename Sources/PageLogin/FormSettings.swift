import HTTP
import JSON
import Primitives
import SDKCore

/// The settings of a profile for the login on the provider's pages: its section `form`.
@dynamicMemberLookup
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

  /// The value of a key.
  subscript<Value>(dynamicMember key: KeyPath<ProfileKeys, Key<Value>>) -> Value {
    profile[dynamicMember: key]
  }

  /// Whether the login may send a request to a URL: forms and redirects of a page may lead anywhere.
  func allows(_ url: HTTPURL) -> Bool {
    if url.sharesOrigin(with: self.url) || profile.allowsCredential(to: url) { return true }
    return url.scheme == .https
      && profile.formHosts.contains { HostAndPort($0) == HostAndPort(url) }
  }
}
