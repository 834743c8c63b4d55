import Arguments
import SDKCore

enum ConfigList: Command {
  static let page = CommandInfo(
    name: "list", summary: "List aliases and defaults of options",
    description: """
      Prints each alias and each default. The user's file has precedence over that of the site.
      """,
    examples: [("sdkctl config list", "List aliases and defaults")],
    seeAlso: ["config set", "environment"],
    output: ConfigEntry.rows.list)

  static func run(_ arguments: NoArguments, in context: Context) async throws {
    context.print(try ConfigEntry.all(try context.store()), ConfigEntry.rows)
  }
}
