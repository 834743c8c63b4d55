import HTTP
import JSON
import Primitives
import SDKCore

/// What is printed about a login that is not OAuth.
struct SessionReport {
  let provider: AuthorizationProvider
  let profile: ProfileName

  static let schema = """
    An object with `profile`, `slot` (`user`), `provider` (`cookies` or `jwt`), `cookies` (their \
    names; empty for a JWT) and `expires` (or null).
    """

  func print(_ context: Context) {
    var names: [String] = []
    if case .cookies(let session) = provider { names = session.cookies.map(\.name) }
    if context.globals.json {
      context.print([
        "profile": .string(profile.description), "slot": .string(CredentialSlot.user.rawValue),
        "provider": .string(provider.name), "cookies": .strings(names),
        "expires": JSON(provider.expires?.description),
      ])
      return
    }
    let end = provider.expires.map { "; \(Age.text(of: $0, at: context.now()))" } ?? ""
    let what =
      names.isEmpty ? "a JWT" : "cookies: \(names.map(Visible.line).joined(separator: ", "))"
    context.note("logged the user in to '\(profile)' (\(what))\(end)")
  }
}
