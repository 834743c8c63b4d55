import CoreTestSupport

@testable import Arguments
@testable import Commands

@Suite("help")
struct HelpCommandTests {
  @Test("explains every command and every topic")
  func everything() async throws {
    let program = try TestProgram()
    let names = commandTable.catalog.visibleEntries.map(\.page.name)
    #expect(names.contains("fetch"))
    for name in names + commandTable.catalog.topics.map(\.name) {
      let run = try await program.run("help", name)
      #expect(run.status == .status(.success), "\(name)")
      #expect(run.output.split(separator: "\n").count > 5, "\(name)")
      #expect(run.errors == "", "\(name)")
    }
  }
}
