import Arguments
import Primitives
import SDKCore

enum TokenRefresh: Command {
  static let page = CommandInfo(
    name: "refresh", summary: "Refresh the tokens of a slot now",
    description: """
      Refreshes the user's tokens even if they are valid, or requests a new implicit or anonymous \
      token: `sdkctl token refresh`. It prints no token. {token} refreshes by itself when that is \
      needed; use this command after a change of rights at the server, or before the network \
      becomes unavailable.

      If another process refreshes at the same time, both use the same new tokens.
      """,
    examples: [
      ("sdkctl token refresh", "Refresh the user's tokens"),
      ("sdkctl token refresh --field expires", "Refresh, and print when the new token expires"),
    ],
    seeAlso: ["token", "login"],
    output: NewLogin.rows.document,
    needs: .session)

  struct Arguments: CommandArguments {
    var slot = CredentialSlot.user
  }

  static let options: [Option<Arguments>] =
    CredentialSlot.options(\.slot, "Refresh")

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let session = try context.session()
    let tokens = try await session.tokens.valid(for: arguments.slot, TokenDemand(forceNew: true))
    let end = tokens.expires.map { ": it \(context.ending($0))" } ?? ""
    context.report(
      await NewLogin(session, arguments.slot, at: context.now()), NewLogin.rows,
      "the token is new\(end)")
  }
}
