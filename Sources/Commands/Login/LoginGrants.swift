import Arguments
import HTTP
import SDKCore

/// What the logins without a browser have in common.
struct GrantRequest: Sendable {
  var scope: String?
  var resources: [String] = []
  var tokenParameters: [TokenParameter] = []

  static let options: [Option<Self>] = [.scope(\.scope)] + optionsWithoutScope
  static let optionsWithoutScope: [Option<Self>] = [
    .resources(\.resources), .tokenParameters(\.tokenParameters),
  ]

  /// The session of the profile, whose token requests have the given parameters.
  func session(_ context: Context) throws -> ProfileSession {
    try context.session { $0.tokenParameters = tokenParameters }
  }

  func options(_ context: Context) -> LoginOptions {
    var options = LoginOptions(context)
    options.scope = scope
    for resource in resources { options.parameters.append("resource", resource) }
    return options
  }

  func logIn(by way: LoginWay, _ session: ProfileSession, _ context: Context) async throws {
    let result = try await session.login.logIn(by: way, options(context))
    await LoginReport(result: result, slot: .user, session: session).finish(context)
  }
}

extension LoginOptions {
  /// Options with the deadline of the command, and a note if an earlier failure delays the login;
  /// for the login that would help against an error, if there was one.
  init(_ context: Context, for login: Remedy.Login? = nil) {
    self = login.map { LoginOptions($0) } ?? LoginOptions()
    timeout = context.remaining
    pausing = { seconds in
      context.note("the last login has just failed; the next one begins in \(seconds) s")
    }
  }
}
