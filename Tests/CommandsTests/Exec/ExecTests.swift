import CoreTestSupport
import Glibc

@testable import Commands

@Suite("exec")
struct ExecTests {
  private static func program(
    lifetime: Int64 = 3600, _ settings: [String: JSON] = [:]
  ) async throws -> TestProgram {
    let program = try await TestProgram.loggedIn(settings, lifetime: lifetime)
    try program.folder.write("#!/bin/sh\n", to: "bin/tool", mode: 0o755)
    return program
  }

  @Test("reports why the command could not take the place of the process")
  func notRun() async throws {
    let program = try await Self.program()
    program.failReplacement(SystemError("execve", code: ENOEXEC))
    let run = try await program.run("exec", "tool")
    #expect(run.status == .status(.notExecutable))
    #expect(run.errors.hasPrefix("sdkctl: error: could not run '"), "\(run)")
  }

  @Test("with a variable for a file runs the command while the file has the token")
  func file() async throws {
    let program = try await Self.program()
    let out = program.folder.file("out")
    try program.folder.write(
      "#!/bin/sh\nread -r t <\"$F\"; echo \"$t\" >'\(out)'; exit 3\n", to: "bin/tool", mode: 0o755)
    _ = try await program.run("exec", "--token-file-as", "F", "tool")
    #expect(program.replacement == nil)
    #expect(try program.folder.text(of: "out") == "u1\n")
  }

  @Test(
    "puts no token into a directory that others can change", arguments: [0o777, 0o755] as [mode_t])
  func openDirectory(mode: mode_t) async throws {
    let program = try await TestProgram.loggedIn()
    try program.folder.write("#!/bin/sh\n", to: "bin/tool", mode: 0o755)
    let pending = program.store.location.pending
    try Directory.create(pending)
    chmod(pending, mode)
    expect(
      try await program.run("exec", "--token-file-as", "F", "tool"), .configuration,
      errors: """
        sdkctl: error: could not write the token: '\(pending)' is not a directory of yours alone
        sdkctl: hint: chmod 700 \(pending)

        """)
    #expect(try Directory.entries(pending) == [])
  }
}
