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

      `--identity-providers` prints instead the identity providers that {login} can name: each \
      line has the ID and the name, separated by a tab. The server lists them for a registered client, \
      or the profile's `identityProviders` does.
      """,
    examples: [
      ("sdkctl profile metadata", "Print the metadata"),
      ("sdkctl profile metadata --fresh --field scopes_supported", "Fetch and print one member"),
    ], seeAlso: ["profile show", "login"],
    json: """
      The document as the server sent it; with `--identity-providers` an array of objects with `id` and \
      `name`.
      """, needs: .session)

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
      let providers = try await session.registration.identityProviders()
      guard !context.globals.json else {
        let rows: [JSON] = providers.map { ["id": .string($0.id), "name": .string($0.name)] }
        return context.print(.array(rows))
      }
      for provider in providers { context.print(fields: [provider.id, provider.name]) }
      return
    }
    context.print(.object(try await session.metadata(isFresh: arguments.fresh)))
  }
}
