import Arguments
import JSON
import SDKCore

enum TokenRevoke: Command {
  static let page = CommandInfo(
    name: "revoke", summary: "Revoke one token",
    description: """
      Revokes a token at the server (RFC 7009): `sdkctl token revoke`. Without FILE it is the stored \
      access token of a slot, which the next use then refreshes or requests again. \
      `--refresh-token` revokes and erases the stored refresh token of the user, or revokes that of a token \
      response; most servers then end the whole login. {logout} revokes and erases everything.

      A token of FILE is revoked, and the stored ones stay as they are. A server does not say whether it knew the token.

      \(ServerToken.rule)

      \(TokenReader.rule)
      """,
    examples: [
      (
        "sdkctl token revoke",
        "Revoke the access token, for example after it was printed by mistake"
      ),
      ("sdkctl -p api token revoke - < token", "Revoke a token from elsewhere"),
    ],
    seeAlso: ["token", "logout"],
    output: rows.document,
    needs: .session)

  private static let rows = Rows<(what: String, profile: ProfileName)>(
    .member("revoked", "`access_token`, `refresh_token` or `token`") { $0.what },
    .member("profile", "the profile") { $0.profile.description })

  struct Arguments: CommandArguments {
    var token = TokenChoice()
  }

  static let options: [Option<Arguments>] =
    CredentialSlot.options(\.token.slot, "Revoke") + [
      .flag("refresh-token", \.token.refreshToken, "The token is a refresh token")
    ]

  static let operands: [Operand<Arguments>] = [
    .tokenFile("FILE", \.token.file, "The file with the token, or -")
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let session = try context.session()
    let profile = session.profile.name
    let token = try await ServerToken(arguments.token, TokenReader(page, context), in: session)
    try await session.tokens.revoke(token.text, token.kind)
    if let slot = token.slot {
      switch token.kind {
      case .refresh: try await session.tokens.forgetRefreshToken(token.text, in: slot)
      default: try await session.tokens.markRefused(token.text, in: slot)
      }
    }
    let (what, name) =
      switch token.kind {
      case .refresh: ("refresh_token", "refresh token")
      case .access: ("access_token", "access token")
      case nil: ("token", "token")
      }
    context.report((what, profile), rows, "revoked the \(name)")
  }
}
