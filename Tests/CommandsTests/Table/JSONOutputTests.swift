import Testing

@testable import Arguments
@testable import Commands

@Suite("JSON of every command")
struct JSONOutputTests {
  /// What prints a document of another program or of a shell, or a key file, or becomes another program.
  private static let exceptions: Set<String> = [
    "credential docker", "credential git", "completion", "exec", "identity export", "pin export",
    "profile store key export",
  ]

  @Test("is promised by its page, unless the output belongs to another program")
  func promised() {
    let catalog = commandTable.catalog
    let commands = catalog.visibleEntries.flatMap { entry in
      [entry.command].compactMap(\.self) + entry.visibleSubcommands
    }
    let without = commands.filter { $0.page.output == nil }.map { $0.path.joined(separator: " ") }
    #expect(Set(without) == Self.exceptions)
  }
}
