import HTTP
import JOSE
import OpenSSL
import POSIX
import Primitives
public import SDKCore
import Trace
import WebForms

extension LoginService {
  /// Logs the user in on the provider's pages, as the section `form` of the profile says.
  ///
  /// The cookies or the JWT are stored, and replace the content of the user's slot.
  ///
  /// - Returns: the cookies or the JWT.
  /// - Throws: ``SDKError``: `refused` if the provider did not accept user name, password or answers.
  public func byForm(
    _ credentials: FormCredentials
  ) async throws(SDKError) -> AuthorizationProvider {
    let forms = FormRenewal(slots: tokens.slots, traceSecrets: traceSecrets)
    let provider = try await forms.logIn(credentials)
    try await environment.becomeCurrentUser()
    return provider
  }

  /// Checks that the profile has a login by form, and pins for it, before a user types a password.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` without `form.url`, ``SDKError/Code/pin``.
  public func requireFormLogin() throws(SDKError) {
    try attempt(FormRenewal.action) {
      _ = try environment.requirePins(of: [try FormSettings(profile).url])
    }
  }
}

extension LoginMethod {
  /// Logins on the provider's pages, of profiles with a section `form`.
  public static let pages = LoginMethod(.pages, learnPage: learnFields) {
    FormRenewal(slots: $0.slots, traceSecrets: $0.traceSecrets)
  }

  /// Learns the secrets that the forms of a page contain, and which fields are secrets.
  private static func learnFields(of page: [UInt8], _ secrets: TraceSecrets) {
    for field in HTMLForm.all(in: page).flatMap(\.fields) {
      if field.isSecret { secrets.learn(parameter: field.name) }
      if field.isSecret || secrets.isSecret(parameter: field.name) {
        secrets.learn(field.value, of: field.name)
      }
    }
  }
}

extension Remedy.Login.Means {
  /// On the provider's pages.
  public static let form = Remedy.Login.Means("form")
}

/// The logins on the provider's pages; one at a time on a machine.
struct FormRenewal: CredentialRenewal {
  static let action = "could not log in by form"

  let slots: TokenSlots
  /// Learns the secrets that the trace must not show; `nil` without a trace.
  let traceSecrets: TraceSecrets?

  var environment: SessionEnvironment { slots.environment }
  var profile: Profile { environment.profile }
  private var log: AttemptLog { AttemptLog(environment.location, profile.name, in: "form-logins") }

  func logIn(_ credentials: FormCredentials) async throws(SDKError) -> AuthorizationProvider {
    try await attempt(Self.action) {
      let settings = try FormSettings(profile)
      return try await environment.locked(.login) { () async throws(SDKError) in
        try await run(settings, credentials)
      }
    }
  }

  var lock: ProfileLock { .login }

  func renews(
    _ slot: CredentialSlot, holding credential: AuthorizationProvider?, by way: Reauthentication
  ) -> Bool { slot == .user && way == .login(.form) }

  func require(_ credential: AuthorizationProvider?) throws(SDKError) {
    let (_, _, user) = try stored()
    if let before = credential?.userName, !sameIdentifier(before, user) {
      throw slots.expired("it has expired, and form.user is not the user who is logged in")
    }
  }

  func prepare(_ credential: AuthorizationProvider?) async throws(SDKError) {}

  /// The page of `form.logoutURL` ends the session of its cookies.
  func end(of credential: AuthorizationProvider) -> SessionEnd? {
    guard case .cookies(let session) = credential, let url = profile[FormKeys.logoutURL] else {
      return nil
    }
    let logout = FormLogout(environment: environment, session: session)
    return { () async throws(SDKError) in try await logout.run(at: url) }
  }

  /// Logs in again after a server has refused the stored credential, or after it has expired.
  ///
  /// Uses the stored password only. A password that the provider has refused is not sent again,
  /// because accounts are locked after some attempts, until `form.passwordFile` changes or somebody
  /// logs in.
  func newCredential(
    for slot: OpenSlot, _ demand: TokenDemand
  ) async throws(SDKError) -> AuthorizationProvider {
    try await attempt(Self.action) {
      let (settings, file, _) = try stored()
      let request = try Self.request(settings, file)
      if let last = log.last(), last.request == request, last.failure?.code == "refused" {
        throw slots.expired(
          "the provider refused the password in \(file) at \(last.time); it is not sent again")
      }
      return try await run(settings, FormCredentials(), request: request)
    }
  }

  /// The settings, with the file of the password and the name of its user.
  private func stored() throws(SDKError) -> (FormSettings, file: String, user: String) {
    let settings = try FormSettings(profile)
    guard let file = settings.profile[FormKeys.passwordFile],
      let user = settings.profile[FormKeys.user]
    else {
      throw slots.expired("it has expired, and the profile has no form.user and form.passwordFile")
    }
    return (settings, file, user)
  }

  private func run(
    _ settings: FormSettings, _ credentials: FormCredentials, request: String = ""
  ) async throws(SDKError) -> AuthorizationProvider {
    try await slots.file(.user).proveWritable()
    do throws(SDKError) {
      var flow = FormLogin(environment, settings, credentials, traceSecrets)
      let provider = try await flow.provider()
      try await slots.store(provider, in: .user)
      log.note(nil, of: request, at: environment.now())
      return provider
    } catch {
      if error.code != .cancelled { log.note(error, of: request, at: environment.now()) }
      throw error
    }
  }

  /// A digest of the settings, the user and the state of the password file, without its content.
  private static func request(
    _ settings: FormSettings, _ file: String
  ) throws(SDKError) -> String {
    let status = try? FileStatus.of(file)
    let words = [
      settings.url.description, settings.profile[FormKeys.user] ?? "", file,
      "\(status?.modified.seconds ?? 0)",
      "\(status?.size ?? 0)",
    ]
    return Base64URL.encode(try digest(of: words.joined(separator: "\n").utf8))
  }
}
