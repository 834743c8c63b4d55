@testable package import Arguments

/// Holds a table to the rules that no type can state.
///
/// A test of the commands expects `problems(in:)` to be empty; each problem says where it is.
package enum TableCheck {
  package static func problems<Globals, Context>(
    in table: Table<Globals, Context>
  ) -> [String] {
    let catalog = table.catalog
    return catalog.nameProblems + catalog.summaryProblems + catalog.optionProblems
      + catalog.operandProblems + catalog.proseProblems + catalog.exitCodeProblems
      + exampleProblems(table)
  }

  /// Every page has an example, and every example is a command line of this program that reads
  /// without a usage error.
  private static func exampleProblems<Globals, Context>(
    _ table: Table<Globals, Context>
  ) -> [String] {
    let program = table.catalog.program
    return table.catalog.placedPages.flatMap { place, page -> [String] in
      guard !page.examples.isEmpty else { return ["\(place): no example"] }
      return page.examples.flatMap { exampleProblems($0, place, table) }
    } + program.examples.flatMap { exampleProblems($0, program.name, table) }
  }

  private static func exampleProblems<Globals, Context>(
    _ example: Example, _ place: String, _ table: Table<Globals, Context>
  ) -> [String] {
    let lines = ShellWords.commands(in: example.commandLine).filter {
      $0.first == table.catalog.program.name
    }
    guard !lines.isEmpty else {
      return ["\(place): the example '\(example.commandLine)' does not use the program"]
    }
    return lines.compactMap { words in
      guard case .usage(let error) = table.read(Array(words.dropFirst())).outcome else {
        return nil
      }
      return "\(place): the example '\(example.commandLine)' is wrong: \(error.message)"
    }
  }
}

extension CommandCatalog {
  /// The pages that documents show, each with its command.
  var placedPages: [(place: String, page: CommandInfo)] {
    visibleEntries.flatMap { entry in
      [(place: entry.page.name, page: entry.page)]
        + entry.visibleSubcommands.map { (place: $0.path.joined(separator: " "), page: $0.page) }
    }
  }

  /// All commands that run, hidden ones too.
  var commands: [CommandDoc] {
    entries.flatMap { [$0.command].compactMap(\.self) + $0.subcommands }
  }
}
