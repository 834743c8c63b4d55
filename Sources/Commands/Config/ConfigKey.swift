import Arguments
import JSON
import SDKCore

/// The group of the commands that read and change `config.json`.
let configPage = CommandInfo(
  name: "config", group: .tools, summary: "Manage aliases and defaults of options",
  description: """
    `config.json` has aliases, which are command lines by name, and options that apply if they are not \
    given. A key is `alias.NAME` or `defaults.COMMAND.OPTION`; COMMAND is `*` for all commands, and may \
    have several words: `'defaults.token verify.leeway'`. See {environment}.
    """,
  examples: [
    ("sdkctl config set alias.me='fetch /me'", "Make `sdkctl me` a command"),
    ("sdkctl config list", "List aliases and defaults"),
  ],
  seeAlso: ["environment", "profile set"])

enum ConfigKey: Sendable, Hashable, ArgumentValue {
  case alias(String)
  case option(String, command: String)

  static func reading(_ text: String) throws(ValueError) -> ConfigKey {
    guard let dot = text.firstIndex(of: ".") else { throw mistake(text) }
    let name = String(text[text.index(after: dot)...])
    switch text[..<dot] {
    case "alias" where !name.isEmpty && !name.contains(" "): return .alias(name)
    case "defaults":
      guard let last = name.lastIndex(of: "."), last != name.startIndex else { throw mistake(text) }
      let option = String(name[name.index(after: last)...])
      return .option(option, command: String(name[..<last]))
    default: throw mistake(text)
    }
  }

  /// The error of a key; if it begins with a command, with what is lacking.
  private static func mistake(_ text: String) -> ValueError {
    let name = text.prefix { $0 != "." && $0 != " " }
    guard name.count < text.count, commandTable.catalog.entry(String(name)) != nil else {
      return ValueError("expected alias.NAME or defaults.COMMAND.OPTION")
    }
    return ValueError("expected defaults.\(text)")
  }

  /// The names that lead to it in the document.
  var path: [String] {
    switch self {
    case .alias(let name): ["alias", name]
    case .option(let option, let command): ["defaults", command, option]
    }
  }

  var text: String { path.joined(separator: ".") }
}

/// An alias or a default, and the file that has it.
struct ConfigEntry {
  let key: ConfigKey
  let value: JSON
  let file: String

  static let rows = Rows<ConfigEntry>(
    .column("key", "KEY", "The key") { $0.key.text },
    .column("value", "VALUE", "Its value") { $0.value },
    .column("file", "FILE", "The file that has it") { $0.file })

  /// All of them, in the order of their keys; those of the user's file are in place of those of the site's.
  static func all(_ store: ProfileStore) throws -> [ConfigEntry] {
    var entries: [String: ConfigEntry] = [:]
    for document in try store.configurations() {
      for (name, value) in (document.members["alias"]?.object ?? [:]).sorted {
        let entry = ConfigEntry(key: .alias(name), value: value, file: document.path)
        entries[entry.key.text] = entries[entry.key.text] ?? entry
      }
      for (command, options) in (document.members["defaults"]?.object ?? [:]).sorted {
        for (option, value) in (options.object ?? [:]).sorted {
          let entry = ConfigEntry(
            key: .option(option, command: command), value: value, file: document.path)
          entries[entry.key.text] = entries[entry.key.text] ?? entry
        }
      }
    }
    return entries.values.sorted { $0.key.text < $1.key.text }
  }
}
