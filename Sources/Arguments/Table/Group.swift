/// A command of the first level: one that runs, one that holds subcommands, or both.
package struct Group<Context: Sendable>: Sendable {
  let entry: CommandCatalog.Entry

  /// What runs when no subcommand is named.
  package let command: (any Command<Context>.Type)?

  private let makeSubcommands: @Sendable () -> [any Command<Context>.Type]

  // Page and subcommands are made when asked for: a run reads those of one command.
  private init(
    _ name: String, _ page: @escaping @Sendable () -> CommandInfo,
    _ command: (any Command<Context>.Type)?,
    _ subcommands: @escaping @Sendable () -> [any Command<Context>.Type]
  ) {
    self.command = command
    makeSubcommands = subcommands
    entry = CommandCatalog.Entry(
      name: name, page: page(), command: command?.doc(path: [name]),
      subcommands: subcommands().map { $0.doc(path: [name] + $0.page.words) })
  }

  package var page: CommandInfo { entry.page }

  package var subcommands: [any Command<Context>.Type] { makeSubcommands() }

  /// A command, which may also hold subcommands.
  package static func command(
    _ name: String, _ command: any Command<Context>.Type,
    _ subcommands: @autoclosure @escaping @Sendable () -> [any Command<Context>.Type] = []
  ) -> Self {
    Self(name, { command.page }, command, subcommands)
  }

  /// A name that only holds subcommands.
  package static func group(
    _ name: String, _ page: @autoclosure @escaping @Sendable () -> CommandInfo,
    _ subcommands: @autoclosure @escaping @Sendable () -> [any Command<Context>.Type]
  ) -> Self {
    Self(name, page, nil, subcommands)
  }
}

extension Command {
  package static var optionDocs: [OptionDoc] { options.map(\.doc) }
  package static var operandDocs: [OperandDoc] { operands.map(\.doc) }

  fileprivate static func doc(path: [String]) -> CommandCatalog.CommandDoc {
    CommandCatalog.CommandDoc(
      path: path, page: page, options: optionDocs, operands: operandDocs)
  }

  /// The command with its arguments, and how they could have named standard input.
  static func bind(
    _ assignments: [Assignment], _ words: [String], _ globals: Set<String>, _ inputs: [Assignment]
  ) throws(UsageError) -> (run: @Sendable (Context) async throws -> Void, OpenInput?) {
    let (arguments, openInput) = try ArgumentDecoder.arguments(
      of: self, assignments, words, beside: globals, inputs)
    return ({ (context) in try await run(arguments, in: context) }, openInput)
  }
}
