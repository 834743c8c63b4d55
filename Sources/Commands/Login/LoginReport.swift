import HTTP
import JSON
import Primitives
import SDKCore

struct LoginReport {
  let result: LoginResult
  let slot: CredentialSlot
  let session: ProfileSession

  /// Prints the login, and what the user must know of its tokens.
  func finish(
    _ context: Context, _ document: (NewLogin) -> JSON = { NewLogin.rows.json($0) }
  ) async {
    if await session.tokens.bindsTokens, !result.tokens.isBound {
      context.warning("the server binds no tokens: this is a bearer token")
    }
    if result.isShared { context.note("another process has just logged in; using its login") }
    if context.globals.json {
      let login = await NewLogin(session, slot, subject: result.subject, at: context.now())
      context.print(document(login))
    } else {
      let name = slot == .user ? await session.tokens.userName(of: result.tokens) : nil
      noteLogin(name ?? result.subject ?? "the user", context)
    }
    noteMissingRefreshToken(context)
  }

  /// Tells that the next login will take a person again, and what would spare that.
  func noteMissingRefreshToken(_ context: Context) {
    guard slot == .user, !result.tokens.isRefreshable else { return }
    let remedy = session.tokens.remedy(forMissingRefreshTokenOf: result.tokens)
    context.note(
      "the server gave no refresh token: when the token expires, log in again"
        + (remedy.map { "; to get one, run `\($0.commandLine(for: session.profile.name))`" } ?? ""))
  }

  private func noteLogin(_ name: String, _ context: Context) {
    let user = session.userID == .standard ? "" : " as the user '\(session.userID)'"
    let who =
      slot == .anonymous
      ? "this installation"
      : slot == .implicit
        ? "the user implicitly" : name
    let end =
      result.tokens.expires.map { "; the token \(context.ending($0))" } ?? ""
    context.note("logged \(who) in to '\(session.profile.name)'\(user)\(end)")
    session.noteCurrentUser(context)
  }
}

extension ProfileSession {
  /// Says which user is current, if it is not the one who has logged in.
  func noteCurrentUser(_ context: Context) {
    guard let current = try? currentUser(), current != userID else { return }
    context.note(
      "the current user of '\(profile.name)' is still '\(current)'; to change that, run "
        + "`\(ShellWord.sdkctl(of: profile.name, "user", "use", userID))`")
  }
}

/// What is printed about a login that is not OAuth.
struct SessionReport {
  let provider: AuthorizationProvider
  let session: ProfileSession
  /// The user, as the server names them; `nil` if that is not known.
  var name: String?

  func print(_ context: Context) async {
    if context.globals.json {
      let login = await NewLogin(session, .user, at: context.now())
      return context.print(NewLogin.rows.json(login))
    }
    var names: [String] = []
    if case .cookies(let cookies) = provider { names = cookies.cookies.map(\.name) }
    let end = provider.expires.map { "; \(context.ending($0))" } ?? ""
    let what =
      names.isEmpty ? "a JWT" : "cookies: \(names.map(Visible.line).joined(separator: ", "))"
    context.note(
      "logged \(name.map(Visible.line) ?? "the user") in to '\(session.profile.name)' (\(what))\(end)"
    )
  }
}
