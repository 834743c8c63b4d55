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

  @Test("fit one screen in short help", arguments: paths)
  func screen(path: [String]) throws {
    let lines = try #require(commandTable.catalog.help(path, .short)).split(
      separator: "\n", omittingEmptySubsequences: false
    ).dropLast()
    // A group of many commands, one a line, is six lines longer; the list of all groups is three.
    let limit = path == ["profile"] ? 30 : path.isEmpty ? 27 : 24
    #expect(lines.count <= limit, "\(lines.count) lines")
    #expect(lines.filter { $0.count > 80 } == [])
  }
}
