import Arguments
import JSON
import SDKCore

enum ConfigUnset: Command {
  static let page = CommandInfo(
    name: "unset", summary: "Remove aliases and defaults of options",
    description:
      "Removes keys from the user's `config.json`, so that the site's values apply again.",
    examples: [("sdkctl config unset alias.me", "Remove an alias")],
    exitCodes: [14], seeAlso: ["config set"], output: rows.document)

  private static let rows = Rows<[ConfigKey]>(
    .member("unset", "the keys") { $0.map(\.text) })

  struct Arguments: CommandArguments {
    var keys: [ConfigKey] = []
  }

  static let operands: [Operand<Arguments>] = [
    .some("KEY", \.keys, "A key").completing(.dynamic("config-keys"))
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    try await context.store().setConfiguration(arguments.keys.map { ($0.path, nil) })
    context.report(arguments.keys, rows)
  }
}
