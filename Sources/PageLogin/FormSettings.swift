import HTTP
import SDKCore

/// The settings of a profile for the login on the provider's pages: its section `form`.
struct FormSettings: Sendable {
  let profile: Profile
  /// The URL of the page with the form; without a page, the URL that the form is sent to.
  let url: HTTPURL

  /// Reads the section `form`.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` without `form.url`.
  init(_ profile: Profile) throws(SDKError) {
    url = try profile.required(FormKeys.url)
    self.profile = profile
  }

  /// The value of a key.
  subscript<Value>(key: Key<Value>) -> Value { profile[key] }

  /// Whether the login may send a request to a URL: forms and redirects of a page may lead anywhere.
  func allows(_ url: HTTPURL) -> Bool {
    if url.sharesOrigin(with: self.url) || profile.allowsCredential(to: url) { return true }
    return url.scheme == .https
      && profile[FormKeys.hosts].contains { HostAndPort($0) == HostAndPort(url) }
  }
}
