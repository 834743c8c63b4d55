import Arguments
import JSON
import SDKCore

enum ProfileMetadata: Command {
  static let page = CommandInfo(
    name: "metadata", summary: "Print the metadata of the authorization server",
    description: """
      Prints the metadata document of the profile's issuer (OpenID Connect Discovery, RFC 8414): \
      `sdkctl profile metadata | jq .token_endpoint`. It is cached for an hour; `--fresh` fetches \
      it. The settings `endpoints.*` do not change what is printed.

      `--identity-providers` prints instead the identity providers that {login} can name. The server lists \
      them for a registered client, or the profile's `identityProviders` does.
      """,
    examples: [
      ("sdkctl profile metadata", "Print the metadata"),
      ("sdkctl profile metadata --fresh --field scopes_supported", "Fetch and print one member"),
    ], seeAlso: ["profile show", "login"],
    output: OutputDoc(.document, [], others: "The document is as the server sent it.")
      .or("With `--identity-providers`", providerRows.list), needs: .session)

  private static let providerRows = Rows<IdentityProvider>(
    .column("id", "ID", "the ID") { $0.id }, .column("name", "NAME", "the name") { $0.name })

  struct Arguments: CommandArguments {
    var fresh = false
    var identityProviders = false
  }

  static let options: [Option<Arguments>] = [
    .flag("fresh", \.fresh, "Fetch it, and replace what is cached"),
    .flag("identity-providers", \.identityProviders, "List the identity providers instead")
      .excludes("fresh"),
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let session = try context.session()
    if arguments.identityProviders {
      return context.print(try await session.registration.identityProviders(), providerRows)
    }
    context.print(.object(try await session.metadata(isFresh: arguments.fresh)))
  }
}
