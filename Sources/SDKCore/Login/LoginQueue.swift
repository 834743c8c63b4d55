import HTTP
import JOSE
import OAuth
import OpenSSL

/// What a prepared login does, from where a person sees something of it.
typealias PreparedLogin = @Sendable () async throws(SDKError) -> LoginResult

/// Lets one login of a profile run at a time on this machine, and shares its result.
struct LoginQueue: Sendable {
  let records: RegistrationRecords
  let slots: TokenSlots

  var environment: SessionEnvironment { slots.environment }
  var profile: Profile { environment.profile }

  private var log: AttemptLog { AttemptLog(environment.location, profile.name) }

  /// Runs one login of the profile at a time; if `prepare` fails, nothing is recorded.
  ///
  /// A login that was waited for, and that asked for the same `request`, counts as this one;
  /// without a `request` none does.
  func result(
    within limit: Duration, asking request: String?, for options: LoginOptions,
    prepare: () async throws(SDKError) -> PreparedLogin
  ) async throws(SDKError) -> LoginResult {
    let before = try await slots.file(.user).content()
    let lastOutcome = log.last()
    return try await environment.locked(.login, waiting: limit) { () throws(SDKError) in
      if let outcome = log.last(), outcome != lastOutcome, outcome.request == request {
        if let error = outcome.error { throw error }
        let content = try await slots.file(.user).content()
        if let shared = content.provider, let tokens = shared.tokens,
          shared != before.provider,
          TokenDemand().isMet(by: shared, at: environment.now())
        {
          return LoginResult(tokens: tokens, isShared: true)
        }
      }
      let run = try await attempt(options.action, prepare)
      defer { environment.clock.server.tellOnce() }
      do throws(SDKError) {
        let result = try await attempt(options.action, run)
        log.note(nil, of: request ?? "", at: environment.now())
        return result
      } catch {
        // After a login that was cancelled, the next one does not wait.
        if error.code != .cancelled { log.note(error, of: request ?? "", at: environment.now()) }
        throw error
      }
    }
  }

  /// Waits before the same login is tried again that has just failed.
  func coolDown(after request: String?, _ options: LoginOptions) async throws(SDKError) {
    guard let last = log.last(), last.request == request else { return }
    let seconds = last.pause(at: environment.now())
    guard seconds > 0 else { return }
    options.pausing?(seconds)
    try await attempt(CodeFlow.action) { try await environment.clock.pause(.seconds(seconds)) }
  }

  /// A digest of what a login asks for and of who asks: equal for equal logins.
  func digest(of options: LoginOptions) async throws(SDKError) -> String {
    let client = try await records.current()
    let own = profile.authorizationParameters
    var words = own.map { "profile.\($0.name)=\($0.value)" }
    words += environment.tokenParameters.map {
      "token.\($0.name)=\($0.value)"
    }
    words += options.parameters.map { "\($0.name)=\($0.value)" }
    words += (client?.redirectURIs ?? []).map { "redirect_uri=\($0)" }
    words += ["issuer=\(profile.issuer?.text ?? "")", "client_id=\(client?.clientID ?? "")"]
    words += (options.scope ?? profile.scope).map { ["scope=\($0)"] } ?? []
    words.append(options.bindsTokens.map(String.init) ?? "")
    words.append(profile.responseMode?.rawValue ?? "")
    if environment.user != .standard { words.append("user=\(environment.user)") }
    let text = words.map(FormParameters.encode).joined(separator: "\n")
    return Base64URL.encode(try SDKCore.digest(of: text.utf8))
  }
}
