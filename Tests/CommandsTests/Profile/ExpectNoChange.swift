import SDKCore
import Testing

@testable import Commands

/// Expects that a command line fails with one error and at most one hint, prints nothing, and leaves
/// the profile as it was.
func expectNoChange(_ words: [String], _ exit: ExitCode, _ hint: String?) async throws {
  let program = try TestProgram([:])
  let before = try program.members()
  let run = try await program.run(words)
  #expect(run.status == .status(exit), "\(words)")
  #expect(run.output == "", "\(words)")
  let lines = run.errors.split(separator: "\n")
  #expect(lines.first?.hasPrefix("sdkctl: error: ") == true, "\(words)")
  #expect(lines.dropFirst().map(String.init) == (hint.map { ["sdkctl: hint: \($0)"] } ?? []))
  #expect(try program.members() == before, "\(words)")
}
