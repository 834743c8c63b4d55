import Arguments
import JSON
import SDKCore

/// `sdkctl token userinfo` -- print what the server tells about the user.
enum TokenUserinfo: Command {
  static let page = Page(
    name: "userinfo", summary: "Print what the server tells about the user",
    description: """
      Asks the userinfo endpoint (OpenID Connect Core 5.3) with the user's token, which is \
      refreshed first when it is about to expire, and prints the claims as JSON. An answer that \
      is signed or encrypted is verified and decrypted.

      The subject must be that of the ID token of the login; claims about somebody else are \
      refused (exit 11). Where there is no ID token, because `openid` was not asked for or \
      SDKCTL_TOKEN stands for the user, that cannot be known, and a line on standard error says so.
      """,
    examples: [
      ("sdkctl token userinfo", "See who is logged in"),
      ("sdkctl token userinfo | jq -r .email", "Take out a claim"),
    ],
    exitCodes: [3, 4, 5, 6, 7, 8, 9, 11, 14], seeAlso: ["token", "token decode", "login"],
    json: "The claims as the server sent them, with `--json` or without.",
    needs: [.profile, .network])

  struct Arguments: Sendable {}

  static let defaults = Arguments()

  static let options: [Option<Arguments>] = []

  static func run(_ arguments: Arguments, in context: Context) async throws(Failure) {
    let session = try context.session()
    let user = try await translating(session.profile.name) { () async throws(SDKError) in
      try await session.tokens.userInfo()
    }
    if !user.isCompared {
      context.note("there is no ID token to compare the subject with")
    }
    context.print(.object(user.claims))
  }
}
