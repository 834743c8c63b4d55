import JSON
import Pinning
import TestSupport
import Testing

@testable import Commands

@Suite("pin export")
struct PinExportTests {
  private static let pins = [TestChain.pin("a"), TestChain.pin("b")]

  @Test("prints the pins of one host as curl takes them, and nothing else")
  func curl() async throws {
    let program = try await PinListTests.program()
    expect(
      try await program.run("pin", "export", "--format", "curl", "api.test"), .success,
      output: Self.pins.map { "sha256//\($0.base64)" }.joined(separator: ";") + "\n")
  }

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

  @Test("warns of what the format cannot express; with --strict prints nothing then")
  func strict() async throws {
    let program = try await PinListTests.program()
    let warned = try await program.run("pin", "export", "--format", "curl", "id.test")
    #expect(warned.status == .status(.success))
    #expect(warned.output == "sha256//\(TestChain.pin("c").base64)\n")
    #expect(warned.errors.hasPrefix("sdkctl: warning: "))
    let run = try await program.run("pin", "export", "--format", "curl", "--strict", "id.test")
    #expect(run.status == .status(.failure))
    #expect(run.output == "")
    #expect(
      run.errors.hasPrefix("sdkctl: error: could not export the pins as curl without loss\n"))
  }

  @Test("refuses several hosts in a format of one, a host without pins, and what is not a host")
  func refused() async throws {
    let program = try await PinListTests.program()
    for (words, exit) in [
      (["--format", "curl"], .usage), (["x.id.test"], .pin), (["a b"], .usage),
      (["--format", "none"], .usage),
    ] as [([String], ExitCode)] {
      let run = try await program.run(["pin", "export"] + words)
      #expect(run.status == .status(exit), "\(words) \(run)")
      #expect(run.output == "")
    }
  }
}
