import JSON
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("users of a profile")
struct UserListTests {
  private static func program() async throws -> TestProgram {
    let program = try await TestProgram.loggedIn()
    try await program.store("b1", of: try UserID("bob"))
    return program
  }

  @Test("user list lists them, and user use chooses the current one")
  func list() async throws {
    let program = try await Self.program()
    expect(
      try await program.run("user", "list"), .success,
      output: """
        work\tdefault\t-\tcurrent\tregistered\t2027-01-15T09:00:00Z\t-\t-
        work\tbob\t-\t-\tregistered\t2027-01-15T09:00:00Z\t-\t-

        """)
    expect(
      try await program.run("user", "use", "bob"), .success,
      errors: "sdkctl: the current user of 'work' is 'bob'\n")
    #expect(try await program.run("token").output == "b1\n")
    #expect(try await program.run("token", "--user-id", "default").output == "u1\n")
    let list = try await program.run("user", "list", "--json").json?.array
    #expect(list?.map { $0["userID"] } == ["default", "bob"])
    #expect(list?.map { $0["current"] } == [false, true])
    #expect(list?.first?["user"]?["refreshable"] == true)
    let run = try await program.run("user", "use", "carol")
    #expect(run.status == .status(.usage))
    #expect(run.errors.contains("'work' has no such user"))
  }

  @Test("are chosen by the option, else by the variable, and hints name them")
  func chosen() async throws {
    let program = try await Self.program()
    program.setVariable("SDKCTL_USER_ID", "bob")
    #expect(try await program.run("token").output == "b1\n")
    program.setVariable("SDKCTL_USER_ID", "../bob")
    #expect(try await program.run("token").status == .status(.usage))
    program.setVariable("SDKCTL_USER_ID", nil)
    let run = try await program.run("token", "--user-id", "carol")
    expect(
      run, .authenticationRequired,
      errors: """
        sdkctl: error: could not use the user's token: the user 'carol' is not logged in to 'work'
        sdkctl: hint: sdkctl -p work --user-id carol login

        """)
  }

  @Test("are logged out one by one, or all at once")
  func logout() async throws {
    let program = try await Self.program()
    let one = try await program.run("logout", "--user-id", "bob", "--local", "--json")
    #expect(one.json?["steps"]?.array?.allSatisfy { $0["userID"] == "bob" } == true, "\(one)")
    #expect(try await program.stored() != nil)
    try await program.store("b2", of: try UserID("bob"))
    let all = try await program.run("logout", "--all", "--local")
    #expect(all.errors.contains("erase the stored tokens (bob): done"), "\(all)")
    #expect(try await program.stored() == nil)
    #expect(try await program.stored(of: try UserID("bob")) == nil)
  }

  @Test("are named by status, show, list and token list")
  func named() async throws {
    let program = try await Self.program()
    let status = try await program.run("status", "--user-id", "bob")
    #expect(status.output.contains("user ID:    bob, of default, bob\n"), "\(status)")
    let show = try await program.run("profile", "show", "--user-id", "bob")
    #expect(
      show.errors.contains("user 'bob': expires 2027-01-15T09:00:00Z, in 60 minutes"),
      "\(show)")
    _ = try await program.run("user", "use", "bob")
    let list = try await program.run("status", "--all")
    #expect(
      list.output.hasPrefix("work\tbob\t-\tcurrent\tregistered\t2027-01-15T09:00:00Z"), "\(list)")
    let tokens = try await program.run("token", "list", "--json")
    #expect(tokens.json?.array?.map { $0["userID"] } == ["default", "bob"], "\(tokens)")
  }
}
