import Arguments
import Testing

@testable import Commands

@Suite("Pages")
struct PageTests {
  private static let commands = commandTable.catalog.visibleEntries.flatMap { entry in
    (entry.command.map { [$0] } ?? []) + entry.visibleSubcommands
  }

  private static let paths: [[String]] =
    [[]]
    + commandTable.catalog.visibleEntries.flatMap { entry in
      [[entry.page.name]] + entry.visibleSubcommands.map(\.path)
    }

  @Test("list at most ten options without a heading, and at most ten under each")
  func sections() {
    for command in Self.commands {
      for section in command.options.sections {
        let place = "\(command.path.joined(separator: " ")): \(section.heading?.title ?? "Options")"
        #expect(section.options.count <= 10, "\(place)")
      }
    }
  }

  @Test("show every heading in help and manual, and no heading without options")
  func headings() throws {
    for command in Self.commands {
      let help = try #require(commandTable.catalog.help(command.path, .long))
      for section in command.options.sections {
        #expect(help.contains("\n\n\(section.heading?.title ?? "Options"):\n"), "\(command.path)")
      }
    }
  }

  @Test("lead in short help with an example, and list every subcommand", arguments: paths)
  func screen(path: [String]) throws {
    let catalog = commandTable.catalog
    let lines = try #require(catalog.help(path, .short)).split(
      separator: "\n", omittingEmptySubsequences: false
    ).dropLast()
    #expect(lines.count <= 40, "\(lines.count) lines")
    #expect(lines.prefix(12).contains { $0.hasPrefix("    ") && $0.contains("sdkctl") })
    #expect(lines.filter { $0.count > 80 && !$0.hasPrefix("    ") } == [])
    let entry = path.first.flatMap(catalog.entry)
    for command in path.count == 1 ? entry?.visibleSubcommands ?? [] : [] {
      #expect(lines.contains { $0.hasPrefix("  \(command.page.name) ") }, "\(command.path)")
    }
  }

  @Test("lead in long help with what it does and its examples", arguments: paths.dropFirst())
  func long(path: [String]) throws {
    let help = try #require(commandTable.catalog.help(path, .long))
    let examples = try #require(help.firstRange(of: "\nExamples:\n"))
    if let options = help.firstRange(of: "\nOptions:\n") {
      #expect(examples.lowerBound < options.lowerBound)
    }
    #expect(!help.contains("--profile NAME"), "a global option")
  }
}
