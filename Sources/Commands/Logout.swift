import Arguments
import HTTP
import SDKCore

enum Logout: Command {
  static let page = CommandInfo(
    name: "logout", group: .access, summary: "Revoke and erase the tokens",
    description: """
      Revokes the refresh token and the access token at the server (RFC 7009), erases them here, \
      and reports each step: `sdkctl logout`. The tokens are erased even if the server cannot be \
      reached; if a revocation failed, the exit status is not 0. A \
      server without revocation accepts them until they expire, which is reported. The implicit token is revoked \
      and erased with the user's. The registration stays; {deregister} deletes it.

      The browser may still be signed in at the server, so that the next login asks for no \
      password. `--end-session` opens the page that ends that session (OpenID Connect \
      RP-Initiated Logout 1.0), or prints its URL if no browser can be started. The URL names the \
      client and has no token in it, so the server asks the user to confirm.

      `--keep-sealed` keeps a login that {profile seal} has sealed: only the access token is revoked and \
      erased, the implicit token stays, and the next command that needs a token of the user asks for the \
      passcode. Some servers end the whole login with the access token; then a new {login} is needed.

      The cookies of {login form} are erased, and the page of `form.logoutURL` ends the session at \
      the provider.

      With several users in the profile, only the chosen one is logged out; `--all` logs out all of \
      them. They stay known: {user remove} removes one.

      Damaged tokens cannot be read, and so cannot be revoked. `--local` erases them, and a new \
      {login} replaces them; both print a warning.
      """,
    examples: [
      ("sdkctl logout", "Log the user out"),
      ("sdkctl logout --end-session", "Log the user out, also in the browser"),
      (
        "sdkctl profile list | while read -r p; do sdkctl -p \"$p\" logout --all; done",
        "Log all users of all profiles out"
      ),
      ("sdkctl logout --keep-sealed", "Ask for the passcode at the next use"),
      ("sdkctl logout --local", "Erase the tokens of a server that is gone"),
    ],
    seeAlso: ["login", "deregister", "profile remove"],
    output: StepReport.rows.document,
    needs: .session)

  struct Arguments: CommandArguments {
    var local = false
    var slot = CredentialSlot.user
    var endSession = false
    var all = false
    var keepSealed = false
  }

  static let options: [Option<Arguments>] =
    CredentialSlot.options(\.slot, "Revoke") + ownOptions

  private static let ownOptions: [Option<Arguments>] = [
    .flag("local", \.local, "Erase the tokens only; do not ask the server"),
    .flag("keep-sealed", \.keepSealed, "Keep the sealed login; the passcode opens it again"),
    .flag("end-session", \.endSession, "End the session of the browser too")
      .excludes("local", "implicit", "anonymous"),
    .flag("all", \.all, "Log all users of the profile out").excludes("user-id"),
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    try context.noteFileChoice()
    let session = try context.session()
    let slot = arguments.slot
    await session.update(of: arguments.all ? nil : session.userID)
    var steps: [LogoutStep] = []
    let users = arguments.all ? try await session.users().map(\.id) : [session.userID]
    for user in users {
      let session = try session.session(of: user)
      let login = session.login
      if arguments.keepSealed {
        steps += try await login.logOutKeepingSealed(slot, isLocal: arguments.local)
      } else {
        steps += try await login.logOut(slot, isLocal: arguments.local)
      }
    }
    let isNobody = steps.isEmpty
    if arguments.endSession { steps.append(await endSession(session, context)) }
    let report = StepReport(steps: steps, profile: session.profile.name)
    if isNobody, !context.globals.json {
      context.note("nobody was logged in to '\(session.profile.name)'")
    }
    report.print(context)
    if slot == .user, let token = try EnvironmentToken.find(context.environment) {
      context.warning(
        "the token of \(token.variable) is still used for every request as the user",
        hint: token.removal)
    }
    try report.throwFailure(
      report.failsOnly(at: .endSession)
        ? "could not finish the logout: the session of the browser goes on"
        : "could not finish the logout: the server may still hold the grant", .localLogout)
  }

  private static func endSession(_ session: ProfileSession, _ context: Context) async -> LogoutStep
  {
    let url: HTTPURL
    do throws(SDKError) {
      url = try await session.login.endSessionURL()
    } catch {
      return LogoutStep(action: .endSession, outcome: .failed(error))
    }
    let isOpen = await Browser(context: context).visit(url)
    return LogoutStep(
      action: .endSession,
      outcome: .pending(isOpen ? "confirm it in the browser: \(url)" : "open this URL: \(url)"))
  }
}
