/// A command of the table.
package struct Row<Context: Sendable>: Sendable {
  package typealias Run = @Sendable (Context) async throws -> Void

  let command: any Command<Context>.Type

  package init(_ command: any Command<Context>.Type) { self.command = command }

  package var page: CommandInfo { command.page }
  package var options: [OptionDoc] { Self.options(of: command) }
  package var operands: [OperandDoc] { Self.operands(of: command) }

  func bind(
    _ assignments: [Assignment], _ words: [String], _ globals: Set<String>, _ inputs: [Assignment]
  ) throws(ParseError) -> (Run, OpenInput?) {
    try Self.bind(command, assignments, words, globals, inputs)
  }

  func doc(path: [String]) -> CommandCatalog.CommandDoc {
    CommandCatalog.CommandDoc(path: path, page: page, options: options, operands: operands)
  }

  private static func options<C: Command>(of command: C.Type) -> [OptionDoc] {
    C.options.map(\.doc)
  }

  private static func operands<C: Command>(of command: C.Type) -> [OperandDoc] {
    C.operands.map(\.doc)
  }

  private static func bind<C: Command<Context>>(
    _ command: C.Type, _ assignments: [Assignment], _ words: [String], _ globals: Set<String>,
    _ inputs: [Assignment]
  ) throws(ParseError) -> (Run, OpenInput?) {
    let (arguments, openInput) = try ArgumentDecoder.arguments(
      of: command, assignments, words, beside: globals, inputs)
    return ({ (context) in try await C.run(arguments, in: context) }, openInput)
  }
}

/// A command of the first level: one that runs, one that holds subcommands, or both.
package struct Group<Context: Sendable>: Sendable {
  /// The word by which it is found; the page has it too.
  package let name: String

  /// What runs when no subcommand is named.
  package let row: Row<Context>?

  // Both are made when asked for: a run reads those of one command.
  let makePage: @Sendable () -> CommandInfo
  let makeSubcommands: @Sendable () -> [Row<Context>]

  package var page: CommandInfo { makePage() }

  package var subcommands: [Row<Context>] { makeSubcommands() }

  /// A command without subcommands.
  package static func command(_ name: String, _ command: any Command<Context>.Type) -> Self {
    Self(name: name, row: Row(command), makePage: { command.page }, makeSubcommands: { [] })
  }

  /// A name that only holds subcommands.
  package static func group(
    _ name: String, _ page: @autoclosure @escaping @Sendable () -> CommandInfo,
    _ subcommands: @autoclosure @escaping @Sendable () -> [Row<Context>]
  ) -> Self {
    Self(name: name, row: nil, makePage: page, makeSubcommands: subcommands)
  }

  /// A command that also holds subcommands.
  package static func group(
    _ name: String, _ command: any Command<Context>.Type,
    _ subcommands: @autoclosure @escaping @Sendable () -> [Row<Context>]
  ) -> Self {
    Self(name: name, row: Row(command), makePage: { command.page }, makeSubcommands: subcommands)
  }
}
