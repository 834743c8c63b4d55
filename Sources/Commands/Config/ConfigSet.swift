import Arguments
import JSON
import Primitives
import SDKCore

enum ConfigSet: Command {
  static let page = CommandInfo(
    name: "set", summary: "Set aliases and defaults of options",
    description: """
      Sets values in the user's `config.json`: `sdkctl config set defaults.fetch.retry=3`. A switch is \
      `true` or `false`; an option that may be given more than once can have a JSON array of strings. All values are \
      checked before the file is written; a command cannot be replaced by an alias.
      """,
    examples: [
      ("sdkctl config set alias.me='fetch /me'", "Make `sdkctl me` a command"),
      ("sdkctl config set 'defaults.*.timeout=1m'", "Limit the time of every command"),
      ("sdkctl config set 'defaults.token verify.leeway=5'", "Set the default of a subcommand"),
    ],
    exitCodes: [14], seeAlso: ["config unset", "environment"],
    output: ConfigEntry.rows.list)

  struct Arguments: CommandArguments {
    var settings: [Setting] = []
  }

  struct Setting: Sendable, ArgumentValue {
    let key: ConfigKey
    let value: String

    static func reading(_ text: String) throws(ValueError) -> Setting {
      guard let equals = text.firstIndex(of: "=") else {
        if text.contains("."),
          let key = (try? ConfigKey.reading(text)) ?? (try? ConfigKey.reading("defaults.\(text)"))
        {
          throw ValueError("expected \(key.text)=VALUE")
        }
        throw ValueError("expected KEY=VALUE")
      }
      return Setting(
        key: try ConfigKey.reading(String(text[..<equals])),
        value: String(text[text.index(after: equals)...]))
    }
  }

  static let operands: [Operand<Arguments>] = [
    .some("KEY=VALUE", \.settings, "A key and its value").completing(.dynamic("config-keys"))
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let store = try context.store()
    let file = "\(store.location.config)/config.json"
    let entries = try arguments.settings.map {
      ConfigEntry(key: $0.key, value: try $0.checked(for: store, file), file: file)
    }
    try await store.setConfiguration(entries.map { ($0.key.path, $0.value) })
    if context.globals.json { context.print(entries, ConfigEntry.rows) }
  }
}

extension ConfigSet.Setting {
  /// The value for the document; refuses one that no command line could have.
  fileprivate func checked(for store: ProfileStore, _ path: String) throws -> JSON {
    switch key {
    case .alias(let name):
      let cause: String? =
        if commandTable.catalog.entry(name) != nil {
          "it is a command"
        } else if name.hasPrefix("-") || name.contains("/") {
          "it cannot be typed as a command"
        } else if let words = ShellWord.split(value) {
          words.isEmpty ? "the command line is empty" : nil
        } else {
          "a quote is left open"
        }
      if let cause {
        throw Failure.usage("could not set the alias '\(Visible.line(name))': \(cause)")
      }
      return .string(value)
    case .option(let name, let command):
      let option = try PersonalDefaults.option(name, of: command, path)
      let parsed = try? JSON(parsing: Array(value.utf8))
      let typed: JSON =
        switch parsed {
        case .bool where option.valueName == nil, .number where option.valueName == nil:
          parsed ?? .null
        case .array where option.repetition == .append: parsed ?? .null
        default: .string(value)
        }
      try PersonalDefaults.settings(typed, option, path, command)
      return typed
    }
  }
}
