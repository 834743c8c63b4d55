import Arguments
import JSON
import SDKCore

/// `sdkctl token` -- print an access token, refreshed when it is about to expire.
enum Token: Command {
  static let page = Page(
    name: "token", group: .access, summary: "Print an access token",
    description: """
      Prints a valid access token of the profile. One that lives on for `--min-ttl` seconds is \
      printed as it is stored, without network. Otherwise it is refreshed first: by one process \
      of the machine, while the others wait for what it gets. An implicit token and \
      that of a device are obtained anew.

      With SDKCTL_TOKEN in the environment, that token stands for the user's.
      """,
    examples: [
      ("sdkctl token --header | curl -H @- https://api.example.com/me", "Call an API by hand"),
      ("sdkctl token --min-ttl 600", "Have a token for a job of ten minutes"),
      ("sdkctl token --json | jq -r .expires", "See when it ends"),
    ],
    exitCodes: [3, 4, 5, 6, 7, 8, 14], seeAlso: ["token decode", "login", "fetch"],
    json: """
      An object with `accessToken`, `tokenType`, `expires` (or null), `scope` (or null), `slot` \
      and `profile`.
      """,
    needs: [.profile, .network, .printsSecret])

  struct Arguments: Sendable {
    var minimumLifetime: Duration = .seconds(30)
    var slot = CredentialSlot.user
    var header = false
    var forceNew = false
  }

  static let defaults = Arguments()

  static let options: [Option<Arguments>] = [
    .value("min-ttl", nil, "SECONDS", \.minimumLifetime, "Refresh a token with less life left"),
    .choice("slot", nil, "SLOT", \.slot, "Whose token: user (default), implicit or device"),
    .flag("header", nil, \.header, "Print an Authorization header line"),
    .flag("force-new", nil, \.forceNew, "Refresh in any case"),
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws(Failure) {
    let session = try context.session()
    let slot = arguments.slot
    let demand = TokenDemand(
      minimumLifetime: arguments.minimumLifetime.components.seconds, forceNew: arguments.forceNew)
    let tokens = try await translating(session.profile.name) { () async throws(SDKError) in
      try await session.token(for: slot, demand)
    }
    if let expires = tokens.expires, expires - context.now() < demand.minimumLifetime {
      context.warn("the server's tokens live shorter than --min-ttl asks for")
    }
    if context.globals.json {
      context.print([
        "accessToken": .string(tokens.accessToken), "tokenType": .string(tokens.tokenType),
        "expires": tokens.expires.map { .string(Timestamp($0).description) } ?? .null,
        "scope": tokens.scope.map { .string($0) } ?? .null,
        "slot": .string(slot.rawValue), "profile": .string(session.profile.name.description),
      ])
    } else if arguments.header {
      context.print("Authorization: \(tokens.tokenType) \(tokens.accessToken)")
    } else {
      context.print(tokens.accessToken)
    }
  }
}
