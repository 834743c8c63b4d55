import POSIX
import SDKCore

/// Logs the user in by browser when a command needs a login and nothing else helps.
struct InteractiveLogin {
  let session: ProfileSession
  let context: Context
  /// Whether a login is allowed.
  let isAllowed: Bool

  /// Runs the body; if it asks for a login of the user, logs in and runs it once more.
  func run<Value>(
    _ body: () async throws(SDKError) -> Value
  ) async throws -> Value {
    let wanted: LoginOptions
    do {
      return try await body()
    } catch {
      guard isAllowed, session.injectedToken == nil, let login = error.userLogin else {
        throw error
      }
      wanted = LoginOptions(context, for: login)
    }
    try await logIn(wanted)
    return try await body()
  }

  /// One login, as `login` without options or, for a profile with `form.url`, `login form` does it.
  func logIn(_ options: LoginOptions) async throws(SDKError) {
    let provider: AuthorizationProvider? =
      switch session.profile.loginMeans {
      case .form: try await session.login.byForm(FormCredentials(ask: context.formQuestions))
      case .fido: try await session.fido.logIn()
      case .browser: try refuseQuestions()
      }
    if let provider {
      context.note("logged the user in to '\(session.profile.name)' (\(provider.name))")
      return
    }
    let result = try await session.login.inBrowser(options) { challenge in
      await Browser(context: context).present(challenge, opens: true)
    }
    context.note(
      "logged \(result.tokens.userName ?? result.subject ?? "the user") in to '\(session.profile.name)'"
    )
    LoginReport(result: result, slot: .user, session: session).noteMissingRefreshToken(context)
  }

  /// Fails before anything waits for a browser that may not be opened.
  private func refuseQuestions() throws(SDKError) -> AuthorizationProvider? {
    guard context.environment.forbidsQuestions else { return nil }
    throw SDKError(
      .notAuthenticated, "could not log in: \(Environment.questionsAreForbidden)",
      resource: .userNotAuthenticated)
  }
}
