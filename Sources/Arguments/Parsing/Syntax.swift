/// An option as it was given.
struct Assignment: Sendable {
  /// Its index among the options of its owner.
  let option: Int

  /// As it was typed: "--json", "-j", "--no-json".
  let spelling: String

  let setting: Setting
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
  var help: HelpLength?
  var wantsVersion = false
  var external: External?
  var parseError: ParseError?

  /// The words of the command so far.
  var path: [String] { command?.path ?? entry.map { [$0.page.name] } ?? [] }
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
