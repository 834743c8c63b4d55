import TestSupport
import Testing

@testable import Arguments
@testable import Commands

@Suite("Standard input that is not named")
struct UnnamedInputTests {
  /// Every command with an operand that may be left out, and can be standard input.
  static let commands = commandTable.catalog.entries.flatMap {
    [$0.command].compactMap { $0 } + $0.subcommands
  }.filter { command in
    command.operands.contains { $0.isInput && !$0.isRequired }
  }.map { $0.path + $0.operands.filter(\.isRequired).map { _ in "x" } }

  @Test(
    "is refused by every command that could read it, with both lines as the hint",
    arguments: commands)
  func refused(words: [String]) async throws {
    let program = try TestProgram([:])
    let run = try await program.run(words, input: "x")
    #expect(run.status == .status(.usage))
    let line = (["sdkctl"] + words).joined(separator: " ")
    #expect(run.errors.contains("hint: \(line) -\n"), "\(run)")
    #expect(
      run.errors.contains("hint: \(line) --user\n")
        || run.errors.contains("hint: \(line) </dev/null\n"))
    #expect(program.transport.sent.isEmpty)
  }

  @Test("these commands are several")
  func several() {
    #expect(Self.commands.contains(["token", "sign"]) && Self.commands.contains(["pin", "add"]))
  }
}
