/// The one command table, from which parser, help, manual, completions and suggestions come.
///
/// The order of commands, options and topics is the order of the manual. The module does no input
/// or output: `read(_:)` turns raw arguments into an outcome, documents are returned as text.
package struct Table<Globals: Sendable, Context: Sendable>: Sendable {
  package let catalog: CommandCatalog
  let defaults: Globals
  let globals: [Option<Globals>]
  let commands: [Group<Context>]

  package init(
    program: Program, defaults: Globals, globals: [Option<Globals>],
    commands: [Group<Context>],
    advice: @escaping @Sendable ([String]) -> String? = { _ in nil },
    appendix: @autoclosure @escaping @Sendable () -> Appendix = Appendix()
  ) {
    self.defaults = defaults
    self.globals = globals
    self.commands = commands
    catalog = CommandCatalog(
      program: program, globals: globals.map(\.doc), entries: commands.map(\.entry),
      advice: advice, appendix: appendix())
  }

  func command(_ path: [String]) -> (any Command<Context>.Type)? {
    guard let name = path.first, let group = commands.first(where: { $0.entry.name == name })
    else { return nil }
    guard path.count > 1 else { return group.command }
    let words = path.dropFirst().joined(separator: " ")
    return group.subcommands.first { $0.page.name == words }
  }
}
