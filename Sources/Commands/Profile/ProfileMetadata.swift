import Arguments
import JSON
import SDKCore

/// `sdkctl profile metadata` -- print what the authorization server says of itself.
enum ProfileMetadata: Command {
  static let page = CommandInfo(
    name: "metadata", summary: "Print the metadata of the authorization server",
    description: """
      Prints the metadata document of the profile's issuer (OpenID Connect Discovery, RFC 8414): \
      `sdkctl profile metadata | jq .token_endpoint`. It is cached for an hour; `--fresh` fetches \
      it. The settings `endpoints.*` do not change what is printed.
      """,
    examples: [
      ("sdkctl profile metadata", "Print the metadata"),
      ("sdkctl profile metadata --fresh --field scopes_supported", "Fetch and print one member"),
    ], exitCodes: [3, 5, 6, 7, 8, 11], seeAlso: ["profile show"],
    json: "The document as the server sent it.", needs: .network)

  struct Arguments: CommandArguments {
    var fresh = false
  }

  static let options: [Option<Arguments>] = [
    .flag("fresh", nil, \.fresh, "Fetch it, and replace what is cached")
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let session = try context.session()
    context.print(.object(try await session.metadata(isFresh: arguments.fresh)))
  }
}
