import CoreTestSupport
import SDKCore

@testable import Commands

@Suite("pin diff")
struct PinDiffTests {
  /// A program with three pins, and a document of them.
  private static func program() async throws -> (program: TestProgram, document: String) {
    let program = try TestProgram([:])
    for (key, host, role) in [
      ("a", "api.test", "leaf"), ("b", "api.test", "backup"), ("c", "id.test", "leaf"),
    ] {
      _ = try await program.run(
        "pin", "add", "\(TestChain.pin(key))", "--host", host, "--role", role, "-q")
    }
    let text = try await program.run("pin", "export").output
    return (program, try program.folder.write(text, to: "v1.json"))
  }

  @Test(
    "finds no difference in the roles that a format does not have; in those of a profile it does")
  func roles() async throws {
    let (program, document) = try await Self.program()
    let lines = try await program.run("pin", "export", "--format", "lines").output
    let other = try program.folder.write(lines, to: "v1.txt")
    expect(try await program.run("pin", "diff", document, other, "--exit-code"), .success)
    expect(try await program.run("pin", "diff", "-", "--exit-code", input: lines), .success)
    _ = try await program.run(
      "pin", "add", "\(TestChain.pin("b"))", "--host", "api.test", "--role", "leaf", "-q")
    #expect(
      try await program.run("pin", "diff", document, "--exit-code").status == .status(.failure))
  }

  @Test("refuses what is neither a file nor a profile")
  func unknown() async throws {
    let (program, document) = try await Self.program()
    expect(
      try await program.run("pin", "diff", document, "nobody"), .usage,
      errors: """
        sdkctl: error: could not compare 'nobody': it is neither a file nor a profile
        sdkctl: hint: sdkctl profile list

        """)
    #expect(try await program.run("pin", "diff", "/nowhere/x.json").status == .status(.failure))
  }
}
