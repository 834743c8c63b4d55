/// A command with its argument type erased.
package struct Row<Context: Sendable>: Sendable {
  package typealias Run = @Sendable (Context) async throws -> Void

  package let page: CommandInfo
  private let makeOptions: @Sendable () -> [OptionDoc]
  private let makeOperands: @Sendable () -> [OperandDoc]
  let bind:
    @Sendable ([Assignment], [String], Set<String>, _ inputs: [Assignment]) throws(ParseError) -> (
      Run, OpenInput?
    )

  package init<C: Command>(_ command: C.Type)
  where C.Context == Context {
    page = C.page
    // Made when asked for: one command's rows are read in a run, not those of all.
    makeOptions = { C.options.map(\.doc) }
    makeOperands = { C.operands.map(\.doc) }
    bind = { (assignments, words, globals, inputs) throws(ParseError) in
      let (arguments, openInput) = try ArgumentDecoder.arguments(
        of: C.self, assignments, words, beside: globals, inputs)
      return ({ (context) in try await C.run(arguments, in: context) }, openInput)
    }
  }
}

extension Row {
  package var options: [OptionDoc] { makeOptions() }
  package var operands: [OperandDoc] { makeOperands() }

  func doc(path: [String]) -> CommandCatalog.CommandDoc {
    CommandCatalog.CommandDoc(
      path: path, page: page, makeOptions: makeOptions, makeOperands: makeOperands)
  }
}

/// A command of the first level: one that runs, one that holds subcommands, or both.
package struct Group<Context: Sendable>: Sendable {
  package let page: CommandInfo

  /// What runs when no subcommand is named.
  package let row: Row<Context>?

  // Made when asked for: a run reads those of one command.
  let makeSubcommands: @Sendable () -> [Row<Context>]

  package var subcommands: [Row<Context>] { makeSubcommands() }

  /// A command without subcommands.
  package static func command<C: Command>(_ command: C.Type) -> Self
  where C.Context == Context {
    Self(page: C.page, row: Row(command), makeSubcommands: { [] })
  }

  /// A name that only holds subcommands.
  package static func group(
    _ page: CommandInfo, _ subcommands: @autoclosure @escaping @Sendable () -> [Row<Context>]
  ) -> Self {
    Self(page: page, row: nil, makeSubcommands: subcommands)
  }

  /// A command that also holds subcommands.
  package static func group<C: Command>(
    _ command: C.Type, _ subcommands: @autoclosure @escaping @Sendable () -> [Row<Context>]
  ) -> Self where C.Context == Context {
    Self(page: C.page, row: Row(command), makeSubcommands: subcommands)
  }
}
