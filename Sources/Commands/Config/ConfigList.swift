import Arguments
import JSON
import SDKCore

/// `sdkctl config list` -- list aliases and defaults of options.
enum ConfigList: Command {
  static let page = CommandInfo(
    name: "list", summary: "List aliases and defaults of options",
    description: """
      Prints each alias and each default with its value and its file, separated by tabs. The user's file \
      has precedence over that of the site.
      """,
    examples: [("sdkctl config list", "List aliases and defaults")],
    seeAlso: ["config set", "environment"],
    json: "An array of objects with `key`, `value` and `file`.")

  static func run(_ arguments: NoArguments, in context: Context) async throws {
    let entries = try ConfigEntry.all(try context.store())
    if context.globals.json { return context.print(.array(entries.map(\.json))) }
    context.print(
      TextTable("KEY", "VALUE", "FILE", texts: entries.map { [$0.key.text, $0.text, $0.file] }))
  }
}
