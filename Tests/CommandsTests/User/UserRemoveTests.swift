import JSON
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("user remove")
struct UserRemoveTests {
  @Test("revokes the tokens of one user, and keeps the others and the registration")
  func one() async throws {
    let program = try await TestProgram.loggedIn()
    let bob = try UserID("bob")
    try await program.store("b1", of: bob)
    expect(
      try await program.run("user", "remove", "bob", "--yes"), .success,
      errors: """
        sdkctl: revoke the refresh token (bob, user): done
        sdkctl: revoke the access token (bob, user): done
        sdkctl: erase the stored tokens (bob, user): done
        sdkctl: removed 'bob' of 'work'

        """)
    #expect(try await program.stored() != nil)
    #expect(try await program.stored(of: bob) == nil)
    #expect(try await program.run("status", "--json").json?["clientID"] == "app")
    let again = try await program.run("user", "remove", "bob", "--yes")
    #expect(again.status == .status(.usage))
    #expect(again.errors.contains("'work' has no user 'bob'"))
  }

  @Test("--all removes every user; it needs consent")
  func all() async throws {
    let program = try await TestProgram.loggedIn()
    try await program.store("b1", of: try UserID("bob"))
    #expect(try await program.run("user", "remove", "--all").status == .status(.usage))
    let run = try await program.run("user", "remove", "--all", "--local", "--yes", "--json")
    #expect(run.status == .status(.success), "\(run)")
    #expect(run.json?["steps"]?.array?.count == 6)
    #expect(try await program.stored() == nil)
    #expect(try program.store.users(of: program.name) == [.standard])
  }
}
