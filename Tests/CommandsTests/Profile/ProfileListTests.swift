import JSON
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("profile list")
struct ProfileListTests {
  private static func program() async throws -> TestProgram {
    let program = try TestProgram([:])
    var home = try Profile(name: try ProfileName("home"))
    try home.set("issuer", to: "https://home.test")
    try await program.store.add(home)
    return program
  }

  @Test("on a terminal marks the current one and shows the issuers")
  func terminal() async throws {
    let program = try await Self.program()
    program.terminal.connect(.output)
    let run = try await program.run("profile", "list")
    expect(
      run, .success,
      output: """
        PROFILE  CURRENT  ISSUER
        home     -        https://home.test
        work     current  https://id.test

        """)
  }

  @Test("with --json prints an array of objects")
  func json() async throws {
    let run = try await Self.program().run("profile", "list", "--json")
    #expect(run.status == .status(.success))
    #expect(run.errors == "")
    #expect(
      run.json == [
        [
          "name": "home", "current": false, "issuer": "https://home.test", "resourceURL": .null,
          "site": false, "damaged": false,
        ],
        [
          "name": "work", "current": true, "issuer": "https://id.test",
          "resourceURL": "https://api.test/v1", "site": false, "damaged": false,
        ],
      ])
  }

  @Test("shows the others if one cannot be read")
  func broken() async throws {
    let program = try await Self.program()
    try program.folder.write("{", to: "store/config/profiles/home/profile.json")
    program.terminal.connect(.output)
    let run = try await program.run("profile", "list", "--color", "never")
    expect(
      run, .success,
      output: """
        PROFILE  CURRENT  ISSUER           PROBLEM
        home     -        -                damaged
        work     current  https://id.test  -

        """)
  }
}
