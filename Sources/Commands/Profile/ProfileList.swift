import Arguments
import JSON
import SDKCore

enum ProfileList: Command {
  static let page = CommandInfo(
    name: "list", summary: "List the profiles",
    description: """
      Prints the profiles; on a terminal also which of them is the current one. {status} prints their logins.
      """,
    examples: [("sdkctl profile list", "List the profiles")], seeAlso: ["status", "token list"],
    output: rows.list)

  /// A profile, which is read only if more than its name is printed.
  private struct Row {
    let name: ProfileName
    let isCurrent: Bool
    let store: ProfileStore

    var profile: Profile? { try? store.profile(name) }
  }

  private static let rows = Rows<Row>(
    .column("name", "PROFILE", "the name") { $0.name.description },
    .shown("current", "CURRENT", "whether it is the current one") { $0.isCurrent },
    .shown("issuer", "ISSUER", "the issuer") { $0.profile?["issuer"]?.string },
    .member("resourceURL", "the URL of its resources") {
      $0.profile?["resourceURL"]?.string
    },
    .member("site", "whether it is a profile of the site") { $0.store.isOfSite($0.name) },
    .shown("damaged", "PROBLEM", "whether it cannot be read", tone: { _ in .bad }) {
      $0.profile == nil
    })

  static func run(_ arguments: NoArguments, in context: Context) async throws {
    let store = try context.store()
    let current = try store.current()
    let rows = try store.names().map { Row(name: $0, isCurrent: $0 == current, store: store) }
    context.print(rows, Self.rows)
  }
}
