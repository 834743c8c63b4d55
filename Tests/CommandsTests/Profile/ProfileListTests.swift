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

  @Test("prints the names, one a line")
  func names() async throws {
    let run = try await Self.program().run("profile", "list")
    expect(run, .success, output: "home\nwork\n")
  }

  @Test("on a terminal marks the current one and shows the issuers")
  func terminal() async throws {
    let program = try await Self.program()
    program.terminal.connect(.output)
    let run = try await program.run("profile", "list")
    expect(
      run, .success,
      output: """
           PROFILE  ISSUER
           home     https://home.test
        *  work     https://id.test

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
          "site": false,
        ],
        [
          "name": "work", "current": true, "issuer": "https://id.test",
          "resourceURL": "https://api.test/v1", "site": false,
        ],
      ])
  }

  @Test("with --state prints the login of each profile, and uses no network")
  func state() async throws {
    let program = try await Self.program()
    try await program.register()
    try await program.store("u1", lifetime: 300)
    try await program.store("a1", lifetime: -60, refreshToken: nil, in: .anonymous)
    let run = try await program.run("profile", "list", "--state")
    expect(
      run, .success,
      output: """
        home\t-\tnot registered\tnot logged in
        work\tcurrent\tregistered\tuser: expires 2027-01-15T08:05:00Z, in 5 minutes, can be \
        refreshed; anonymous: expired 2027-01-15T07:59:00Z, 60 seconds ago

        """)
    let json = try await program.run("profile", "list", "--state", "--json").json
    #expect(json?.array?[0]["slots"] == [:])
    #expect(json?.array?[1]["registered"] == true)
    #expect(
      json?.array?[1]["slots"] == [
        "user": ["expires": "2027-01-15T08:05:00Z", "expired": false, "refreshable": true],
        "anonymous": ["expires": "2027-01-15T07:59:00Z", "expired": true, "refreshable": false],
      ])
    #expect(program.transport.sent.isEmpty)
  }

  @Test("with --state warns of a profile that cannot be read, and lists the others")
  func brokenState() async throws {
    let program = try await Self.program()
    try program.folder.write("{", to: "store/config/profiles/home/profile.json")
    let run = try await program.run("profile", "list", "--state")
    #expect(run.status == .status(.success))
    #expect(run.output == "work\tcurrent\tnot registered\tnot logged in\n")
    #expect(run.errors.hasPrefix("sdkctl: could not read "))
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
           PROFILE  ISSUER
           home     cannot be read
        *  work     https://id.test

        """)
  }

  @Test("prints nothing if there are none")
  func none() async throws {
    expect(try await TestProgram().run("profile", "list"), .success)
    expect(try await TestProgram().run("profile", "list", "--json"), .success, output: "[]\n")
  }

  @Test("fails with 3 if the store cannot be found")
  func noStore() async throws {
    let program = try TestProgram()
    program.setVariable("SDKCTL_HOME", nil)
    program.setVariable("HOME", nil)
    let run = try await program.run("profile", "list")
    expect(
      run, .configuration,
      errors: """
        sdkctl: error: could not find the store: neither SDKCTL_HOME, XDG_CONFIG_HOME nor HOME is set

        """)
  }
}
