import Glibc
import JSON
import POSIX
import SDKCore
import TestSupport
import Testing

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

  @Test("replaces the process by the command, with the token and its servers in the environment")
  func environment() async throws {
    let program = try await Self.program(["caFile": "/ca.pem"])
    program.setVariable("KEPT", "yes")
    expect(try await program.run("exec", "--", "tool", "-x", "a b"), .success)
    let started = try #require(program.replacement)
    #expect(started.program == program.folder.file("bin/tool"))
    #expect(started.arguments == ["-x", "a b"])
    let wanted = [
      "SDKCTL_ACCESS_TOKEN": "u1", "SDKCTL_AUTHORIZATION": "Authorization: Bearer u1",
      "SDKCTL_TOKEN_TYPE": "Bearer", "SDKCTL_TOKEN_EXPIRES": "2027-01-15T09:00:00Z",
      "SDKCTL_ISSUER": "https://id.test", "SDKCTL_RESOURCE_URL": "https://api.test/v1",
      "SDKCTL_CA_FILE": "/ca.pem", "SDKCTL_PROFILE": "work", "KEPT": "yes",
    ]
    for (name, value) in wanted { #expect(started.environment[name] == value, "\(name)") }
    #expect(started.environment["SDKCTL_EXECUTABLE"] == Paths.executable)
    #expect(program.transport.sent.isEmpty)
  }

  @Test("removes what is not known, and sets further variables")
  func others() async throws {
    let program = try await Self.program(["caFile": "/ca.pem"])
    try await program.store("u1", lifetime: nil)
    program.setVariable("SDKCTL_TOKEN_EXPIRES", "stale")
    let run = try await program.run(
      "exec", "--token-as", "GH_TOKEN", "--token-as", "T2", "--ca-as", "SSL_CERT_FILE", "tool")
    expect(run, .success)
    let environment = try #require(program.replacement).environment
    #expect(environment["SDKCTL_TOKEN_EXPIRES"] == nil)
    #expect(environment["GH_TOKEN"] == "u1" && environment["T2"] == "u1")
    #expect(environment["SSL_CERT_FILE"] == "/ca.pem")
  }

  @Test("refreshes before the start if the token expires sooner than --min-ttl")
  func refreshes() async throws {
    let program = try await Self.program(lifetime: 300)
    expect(try await program.run("exec", "tool"), .success)
    #expect(program.replacement?.environment["SDKCTL_ACCESS_TOKEN"] == "u1")
    expect(try await program.run("exec", "--min-ttl", "5m", "tool"), .success)
    #expect(program.replacement?.environment["SDKCTL_ACCESS_TOKEN"] == "u2")
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

  @Test("starts nothing without a token, and asks for no token if the command does not exist")
  func failures() async throws {
    let program = try TestProgram([:])
    try program.folder.write("#!/bin/sh\n", to: "bin/tool", mode: 0o755)
    let run = try await program.run("exec", "tool")
    #expect(run.status == .status(.authenticationRequired))
    expect(
      try await program.run("exec", "nope"), .notFound,
      errors: "sdkctl: error: could not run 'nope': it does not exist\n")
    let folder = try await program.run("exec", "/")
    #expect(folder.status == .status(.notExecutable))
    #expect(folder.errors.contains("could not run '/': it is not an executable file"))
    try program.folder.write("text", to: "bin/notes", mode: 0o644)
    expect(
      try await program.run("exec", "notes"), .notExecutable,
      errors: "sdkctl: error: could not run 'notes': it is not an executable file\n")
    #expect(program.replacement == nil)
    #expect(program.transport.sent.isEmpty)
  }
}
