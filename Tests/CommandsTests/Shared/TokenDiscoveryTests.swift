import JSON
import POSIX
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("Tokens in the file of the WLCG discovery")
struct TokenDiscoveryTests {
  private static func program(_ discovers: Bool = true) async throws -> (TestProgram, String) {
    let program = try await TestProgram.loggedIn(["tokenDiscovery": .bool(discovers)])
    try program.folder.write("", to: "run/other")
    program.setVariable("XDG_RUNTIME_DIR", program.folder.file("run"))
    return (program, "run/bt_u\(Environment.userNumber)")
  }

  @Test("are used in place of the stored one, after those of variables, if the profile says so")
  func used() async throws {
    let (program, file) = try await Self.program()
    #expect(try await program.run("token").output == "u1\n")
    let path = try program.folder.write(" other\n", to: file, mode: 0o600)
    #expect(try await program.run("token").output == "other\n")
    let list = try await program.run("token", "list")
    #expect(list.output.contains("\(path)"), "\(list)")
    let logout = try await program.run("logout", "--local")
    #expect(logout.errors.contains("rm \(path)"), "\(logout)")
    program.setVariable("BEARER_TOKEN", "variable")
    #expect(try await program.run("token").output == "variable\n")
    let (other, same) = try await Self.program(false)
    try other.folder.write("other", to: same, mode: 0o600)
    #expect(try await other.run("token").output == "u1\n")
  }

  @Test("are refused if another user could have put them there or can read them")
  func exposed() async throws {
    let (program, file) = try await Self.program()
    let path = try program.folder.write("other", to: file, mode: 0o640)
    let run = try await program.run("token")
    #expect(run.status == .status(.configuration), "\(run)")
    #expect(run.errors.contains("rm \(path)"), "\(run)")
    #expect(!run.errors.contains("other\n"))
    let (linked, same) = try await Self.program()
    try linked.folder.write("other", to: "elsewhere", mode: 0o600)
    try linked.folder.link(same, to: "elsewhere")
    #expect(try await linked.run("token").status == .status(.configuration))
  }

  @Test("are written with --wlcg, where programs look first, and not taken from there")
  func written() async throws {
    let (program, file) = try await Self.program()
    try program.folder.write("other", to: file, mode: 0o600)
    let run = try await program.run("token", "--wlcg")
    #expect(run.status == .status(.success), "\(run)")
    #expect(try program.folder.text(of: file) == "u1")
    #expect(try FileStatus.of(program.folder.file(file)).modeText == "0600")
    let chosen = program.folder.file("chosen")
    program.setVariable("BEARER_TOKEN_FILE", chosen)
    program.setVariable("BEARER_TOKEN", "variable")
    #expect(try await program.run("token", "--wlcg").status == .status(.success))
    #expect(try program.folder.text(of: "chosen") == "u1")
    #expect(
      try await program.run("token", "--wlcg", "--output", "x").status == .status(.usage))
  }
}
