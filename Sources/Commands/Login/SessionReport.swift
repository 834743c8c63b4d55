import HTTP
import Primitives
import SDKCore

/// What is printed about a login that is not OAuth.
struct SessionReport {
  let provider: AuthorizationProvider
  let session: ProfileSession

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
    context.note("logged the user in to '\(session.profile.name)' (\(what))\(end)")
  }
}
