import HTTP
import JOSE
import OpenSSL
import POSIX
import Primitives

/// What a login on the provider's pages has brought; it is stored already.
public struct FormLoginResult: Sendable, Hashable {
  /// The cookies, or the JWT.
  public let provider: AuthorizationProvider
  /// Whether another process did the login while this one waited for it.
  public let isShared: Bool
}

extension LoginService {
  /// Logs the user in on the provider's pages, as the section `form` of the profile says.
  ///
  /// The cookies or the JWT of the login take the place of all that the user's slot held.
  ///
  /// - Throws: ``SDKError``: `refused` if the provider did not accept what was sent.
  public func byForm(_ credentials: FormCredentials) async throws(SDKError) -> FormLoginResult {
    try await FormSessions(self).logIn(credentials)
  }

  /// Refuses a login by form, before anybody has typed a password, if the profile has none.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` without `form.url`.
  public func requireFormLogin() throws(SDKError) {
    do throws(SDKError) {
      _ = try FormSettings(profile)
    } catch {
      throw error.during(FormSessions.action)
    }
  }

  /// Stores what a program has obtained in its own way, in place of all that a slot held.
  ///
  /// The next request of that slot carries it.
  ///
  /// - Throws: ``SDKError`` if it cannot be written.
  public func store(
    _ provider: AuthorizationProvider, in slot: CredentialSlot = .user
  ) async throws(SDKError) {
    try await environment.locked(.implicit) { () throws(SDKError) in
      guard slot != .implicit else { return try tokens.slots.replace(slot, with: provider) }
      try await environment.locked(slot.lock) { () throws(SDKError) in
        if slot == .user { _ = try tokens.slots.erase(.implicit) }
        try tokens.slots.replace(slot, with: provider)
      }
    }
  }
}

/// The logins on the provider's pages: one at a time on a machine, shared by all who wait.
struct FormSessions: SessionService {
  static let action = "could not log in by form"

  let login: LoginService

  init(_ login: LoginService) { self.login = login }

  var environment: SessionEnvironment { login.environment }
  private var slots: TokenSlots { login.tokens.slots }
  private var log: LoginLog { LoginLog(environment.location, profile.name, in: "form-logins") }

  func logIn(_ credentials: FormCredentials) async throws(SDKError) -> FormLoginResult {
    try await doing(Self.action) { () async throws(SDKError) in
      let settings = try FormSettings(profile)
      return try await environment.locked(.login) { () async throws(SDKError) in
        try await run(settings, credentials)
      }
    }
  }

  /// Logs in again after a server has refused what was stored, or it has expired.
  ///
  /// Uses the stored password only. A password that the provider has refused is not sent again,
  /// because accounts are locked after some attempts, until `form.passwordFile` changes or somebody
  /// logs in.
  ///
  /// - Returns: what another process or task has obtained meanwhile, or the result of the login.
  func renewed(
    after refused: AuthorizationProvider
  ) async throws(SDKError) -> AuthorizationProvider {
    let settings = try FormSettings(profile)
    guard let file = settings.passwordFile, settings.user != nil else {
      throw slots.expired("it is over, and the profile has no form.user and form.passwordFile")
    }
    return try await environment.locked(.login) { () async throws(SDKError) in
      if let current = try slots.provider(in: .user), current != refused,
        current.expires.map({ $0 > now() }) ?? true
      {
        return current
      }
      let attempt = Self.attempt(settings, file)
      if let last = log.last(), last.request == attempt, last.failure?.code == "refused" {
        throw slots.expired(
          "the provider refused the password in \(file) at \(last.time); it is not sent again")
      }
      return try await run(settings, FormCredentials(), attempt: attempt).provider
    }
  }

  private func run(
    _ settings: FormSettings, _ credentials: FormCredentials, attempt: String = ""
  ) async throws(SDKError) -> FormLoginResult {
    try slots.file(.user).proveWritable()
    do throws(SDKError) {
      var flow = FormLogin(environment, settings, credentials)
      let provider = try await flow.run()
      try await login.store(provider)
      log.note(nil, of: attempt, at: now())
      return FormLoginResult(provider: provider, isShared: false)
    } catch {
      if error.code != .cancelled { log.note(error, of: attempt, at: now()) }
      throw error
    }
  }

  /// The login of a user with a password file as it is now: a digest, which reveals nothing.
  private static func attempt(_ settings: FormSettings, _ file: String) -> String {
    let status = try? FileStatus.of(file)
    let words = [
      settings.url.description, settings.user ?? "", file, "\(status?.modified.seconds ?? 0)",
      "\(status?.size ?? 0)",
    ]
    return Base64URL.encode(Digest.sha256(words.joined(separator: "\n")))
  }
}
