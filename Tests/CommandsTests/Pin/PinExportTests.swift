import CoreTestSupport

@testable import Commands

@Suite("pin export")
struct PinExportTests {
  private static let pins = [TestChain.pin("a"), TestChain.pin("b")]

  @Test("prints json that pin import reads back")
  func json() async throws {
    let program = try await PinListTests.program()
    let run = try await program.run("pin", "export")
    #expect(run.status == .status(.success))
    #expect(run.json != nil)
    let file = try program.folder.write(run.output, to: "pins.json")
    let other = try TestProgram([:])
    #expect(try await other.run("pin", "import", file, "--yes").status == .status(.success))
    #expect(try other.pinSets().map(\.pattern) == program.pinSets().map(\.pattern))
    #expect(
      try other.pinSets().map { $0.keys.map(\.pin) } == program.pinSets().map { $0.keys.map(\.pin) }
    )
  }
}
