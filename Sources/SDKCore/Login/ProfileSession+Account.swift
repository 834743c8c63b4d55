package import HTTP
import OAuth

/// What people do with an account before they can sign in.
package enum AccountErrand: Sendable {
  case signUp, passwordReset

  /// What cannot be done when it fails.
  var action: String {
    self == .signUp ? "could not register an account" : "could not reset the password"
  }
}

/// How the provider lets people do it.
package enum AccountWay: Sendable, Hashable {
  /// In the course of a login (Initiating User Registration via OpenID Connect 1.0).
  case promptCreate
  /// On a page of its own.
  case page(HTTPURL)
}

extension ProfileSession {
  /// The way to an account; what the server announces stands before the profile's pages.
  ///
  /// - Throws: ``SDKError/Code/unsupported`` when there is none, with what would make one.
  package func way(to errand: AccountErrand) async throws(SDKError) -> AccountWay {
    switch errand {
    case .signUp:
      if try await announcesSignUp() { return .promptCreate }
      if let page = profile.accountURL { return .page(page) }
      throw missing("\(errand.action): the server announces no prompt=create", "accountURL")
    case .passwordReset:
      if let page = profile.resetPasswordURL { return .page(page) }
      throw missing("\(errand.action): there is no protocol for it", "resetPasswordURL")
    }
  }

  /// A server that cannot be asked leaves the profile's page.
  private func announcesSignUp() async throws(SDKError) -> Bool {
    do {
      return try await metadata().words("prompt_values_supported")?.contains("create") ?? false
    } catch {
      if profile.accountURL != nil { return false }
      throw error
    }
  }

  private func missing(_ cause: String, _ key: String) -> SDKError {
    SDKError(
      .unsupported, "\(cause), and the profile has no \(key)", subject: key,
      remedy: .setProfile(key: key, value: nil))
  }
}
