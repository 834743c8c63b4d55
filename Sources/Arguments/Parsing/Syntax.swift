/// An option as it was given.
struct Assignment: Sendable {
  let option: Int

  /// As it was typed: "--json", "-j", "--no-json"; or the place of a default.
  let spelling: String

  let setting: Setting

  /// Whether it is a default of a file.
  var isConfiguration = false
}

/// A command line taken apart by the manual alone, before any value is read.
///
/// The first error is kept and reading goes on, since help asked for further right wins.
struct Syntax {
  var globals: [Assignment] = []
  var own: [Assignment] = []
  var operands: [String] = []
  var entry: CommandCatalog.Entry?
  var command: CommandCatalog.CommandDoc?

  /// The first words of a subcommand whose name has further ones.
  var words: [String] = []

  var help: HelpLength?
  var wantsVersion = false
  var external: External?
  var error: UsageError?

  /// The option whose value is missing at the end.
  var pending: OptionDoc?

  var isOperandsOnly = false

  var isOpen = false

  /// The words of the command so far.
  var path: [String] { command?.path ?? entry.map { [$0.page.name] + words } ?? [] }
}

extension Syntax {
  struct Match {
    let isGlobal: Bool
    let index: Int
    let option: OptionDoc
    let setting: Setting
  }

  /// The option of the command with that name, else that of all commands.
  func option(_ lexeme: Lexeme, _ globals: [OptionDoc]) -> Match? {
    for (isGlobal, options) in [(false, command?.options ?? []), (true, globals)] {
      for (index, option) in options.enumerated() {
        guard let setting = option.setting(for: lexeme) else { continue }
        return Match(isGlobal: isGlobal, index: index, option: option, setting: setting)
      }
    }
    return nil
  }
}

extension OptionDoc {
  fileprivate func setting(for lexeme: Lexeme) -> Setting? {
    switch lexeme {
    case .long(let name) where name == long: .on
    case .long(let name) where isNegatable && name == "no-\(long)": .off
    case .short(let letter) where letter == short: .on
    default: nil
    }
  }
}

/// How much help is wanted: `-h` or `--help`.
package enum HelpLength: Sendable, Hashable {
  case short, long
}

/// A command line whose command is not in the table.
package struct External: Sendable, Hashable {
  package let name: String

  /// What stands before the name: global options.
  package let leading: [[UInt8]]

  /// What stands after the name, untouched.
  package let trailing: [[UInt8]]
}
