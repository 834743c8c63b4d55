import Arguments
import JSON
import SDKCore

enum TokenIntrospect: Command {
  static let page = CommandInfo(
    name: "introspect", summary: "Ask the server what it knows about a token",
    description: """
      Sends a token to the introspection endpoint (RFC 7662) and prints the response as JSON: \
      `sdkctl token introspect`. Use it for an opaque token, which cannot be decoded. Without FILE \
      it is the stored token of a slot, which is not refreshed before. The server may refuse a client that \
      is not a resource server.

      The exit status is 0 whether the token is active or not; `--field active` tells.

      \(ServerToken.rule)

      \(TokenReader.rule)
      """,
    examples: [
      ("sdkctl token introspect", "Ask about the stored access token"),
      ("sdkctl token introspect --field active", "Print true or false"),
      ("sdkctl -p api token introspect - < token", "Ask about a token from elsewhere"),
    ],
    seeAlso: ["token", "token decode", "token revoke"],
    output: OutputDoc(
      .document, [MemberDoc("active", "whether the token is active")],
      others: "The other members are as the server sent them, with `--json` or without."),
    needs: .session)

  struct Arguments: CommandArguments {
    var token = TokenChoice()
    var signed = false
  }

  static let options: [Option<Arguments>] =
    CredentialSlot.options(\.token.slot, "Ask about") + [
      .flag("signed", \.signed, "Require a signed response (RFC 9701)")
    ]

  static let operands: [Operand<Arguments>] = [
    .tokenFile("FILE", \.token.file, "The file with the token, or -")
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let session = try context.session()
    let token = try await ServerToken(arguments.token, TokenReader(page, context), in: session)
    let response = try await session.tokens.introspect(
      token.text, token.kind, signed: arguments.signed)
    context.print(.object(response))
  }
}
