import Arguments
import JSON
import SDKCore

enum TokenUserinfo: Command {
  static let page = CommandInfo(
    name: "userinfo", summary: "Print the claims about the user",
    description: """
      Asks the userinfo endpoint (OpenID Connect Core 5.3) with the user's token and prints the \
      claims as JSON: `sdkctl token userinfo`. A token that is about to expire is refreshed first. \
      A response that is signed or encrypted is verified and decrypted.

      The subject must be that of the login's ID token; claims about another user are refused \
      (exit 11). If there is no ID token, because the scope had no `openid` or because \
      SDKCTL_TOKEN is used, the subject cannot be compared, and a line on standard error says so.
      """,
    examples: [
      ("sdkctl token userinfo", "Print who is logged in"),
      ("sdkctl token userinfo | jq -r .email", "Print one claim"),
    ],
    seeAlso: ["token", "token decode", "login"],
    output: OutputDoc(
      .document, [], others: "The claims as the server sent them, with `--json` or without."),
    needs: .session)

  static func run(_ arguments: NoArguments, in context: Context) async throws {
    let session = try context.session()
    let user = try await session.tokens.userInfo()
    if !user.isCompared {
      context.note("the subject was not compared: there is no ID token")
    }
    context.print(.object(user.claims))
  }
}
