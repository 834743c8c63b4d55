import FIDO
import POSIX
import PageLogin
import SDKCore

/// Logs the user in by browser when a command needs a login and nothing else helps.
struct InteractiveLogin {
  let session: ProfileSession
  let context: Context
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

  /// Lets the user log in when a request asks for it.
  static func handler(_ session: ProfileSession, _ context: Context) -> LoginHandler {
    let login = InteractiveLogin(session: session, context: context, isAllowed: true)
    return { (options) throws(SDKError) in try await login.logIn(options) }
  }

  /// One login, as `login` without options or, for a profile with `form.url`, `login form` does it.
  func logIn(_ options: LoginOptions) async throws(SDKError) {
    switch session.profile.loginMeans {
    case .form: note(try await session.login.byForm(FormCredentials(ask: context.formQuestions)))
    case .fido: note(try await session.fido.logIn())
    default: try await logInByBrowser(options)
    }
  }

  private func note(_ provider: AuthorizationProvider) {
    context.note("logged the user in to '\(session.profile.name)' (\(provider.name))")
  }

  private func logInByBrowser(_ options: LoginOptions) async throws(SDKError) {
    // Nothing may wait for a browser that may not be opened.
    if context.environment.forbidsQuestions {
      throw SDKError(
        .notAuthenticated, "could not log in: \(Environment.questionsAreForbidden)",
        resource: .userNotAuthenticated)
    }
    let result = try await session.login.logIn(
      by: .browser { challenge in
        await Browser(context: context).present(challenge, opens: true)
      }, options)
    let name = await session.tokens.userName(of: result.tokens) ?? result.subject ?? "the user"
    context.note("logged \(name) in to '\(session.profile.name)'")
    LoginReport(result: result, slot: .user, session: session).noteMissingRefreshToken(context)
  }
}
