import Arguments
import JSON
import SDKCore

enum ConfigGet: Command {
  static let page = CommandInfo(
    name: "get", summary: "Print an alias or the default of an option",
    description: "Prints the value of a key. The exit status is 1 if it is not set.",
    examples: [
      ("sdkctl config get alias.me", "Print an alias"),
      ("sdkctl config get defaults.fetch.retry", "Print a default"),
    ],
    seeAlso: ["config list"], output: ConfigEntry.rows.document)

  struct Arguments: CommandArguments {
    var key: ConfigKey?
  }

  static let operands: [Operand<Arguments>] = [
    .one("KEY", \.key, "alias.NAME or defaults.COMMAND.OPTION").completing(.dynamic("config-keys"))
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    guard let key = arguments.key else { return }
    guard let entry = try ConfigEntry.all(try context.store()).first(where: { $0.key == key })
    else {
      throw Failure(.notSet, "'\(Visible.line(key.text))' is not set")
    }
    if context.globals.json { return context.print(ConfigEntry.rows.json(entry)) }
    context.print(Visible.line(entry.value.string ?? entry.value.serialized()))
  }
}
