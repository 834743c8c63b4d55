/// One command: its page, what it takes, what it does.
///
/// To add a command: write one file with an `enum` that conforms (page, `Arguments`, options,
/// operands, `run`, in this order), and name it in the table of commands. `TableCheck` then holds it to
/// the rules: names, lengths, examples that parse, prose that names real options.
package protocol Command<Context>: SendableMetatype {
  associatedtype Arguments: CommandArguments = NoArguments

  /// The capabilities that the program gives to every command.
  associatedtype Context: Sendable

  static var page: CommandInfo { get }

  /// The order here is the order of the manual.
  static var options: [Option<Arguments>] { get }

  /// The operands from left to right.
  static var operands: [Operand<Arguments>] { get }

  /// Refuses arguments that do not go together; the error becomes a usage error.
  static func check(_ arguments: Arguments) throws(ValueError)

  /// The word that would name standard input, if the arguments leave out what it usually has; operands need none.
  static func openInput(_ arguments: Arguments) -> String?

  static func run(_ arguments: Arguments, in context: Context) async throws
}

/// How arguments could have named standard input.
package struct OpenInput: Sendable, Hashable {
  /// The word that names it.
  package let word: String
  /// The long name of an option that stands in its place.
  package let substitute: String?

  init(_ word: String, substitute: String? = nil) {
    self.word = word
    self.substitute = substitute
  }
}

/// What was typed, and nothing that needs a file, a clock or the environment.
package protocol CommandArguments: Sendable {
  /// The arguments if nothing was typed.
  init()
}

/// The arguments of a command that takes none.
package struct NoArguments: CommandArguments {
  package init() {}
}

extension Command {
  package static var options: [Option<Arguments>] { [] }
  package static var operands: [Operand<Arguments>] { [] }
  package static func check(_ arguments: Arguments) throws(ValueError) {}
  package static func openInput(_ arguments: Arguments) -> String? { nil }
}
