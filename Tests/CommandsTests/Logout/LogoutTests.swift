import HTTP
import JSON
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("logout")
struct LogoutTests {
  @Test(
    "names the profile that a file of the directory has chosen, as all that end or begin something at a server",
    arguments: [
      ["logout"], ["deregister", "--yes"], ["register", "--replace"], ["user", "remove", "--yes"],
    ])
  func directory(words: [String]) async throws {
    let program = try await TestProgram.loggedIn()
    let file = try program.folder.write("work\n", to: "place/.sdkctl-profile")
    #expect(try await !program.run(words).errors.contains("the profile is"))
    program.directory = program.folder.file("place")
    let run = try await program.run(words)
    #expect(run.errors.hasPrefix("sdkctl: the profile is 'work', chosen by \(file)\n"), "\(run)")
  }

  @Test("with --keep-sealed revokes and erases the access token only, of a sealed login")
  func keepsSealed() async throws {
    let program = try await TestProgram.loggedIn()
    let refused = try await program.run("logout", "--keep-sealed")
    #expect(refused.status == .status(.usage), "\(refused)")
    #expect(refused.errors.contains("its refresh token is not sealed"))
    #expect(try await program.stored()?.accessToken == "u1")
    _ = try await program.run("profile", "seal", "--passcode-file", "-", input: "27182\n")
    expect(
      try await program.run("logout", "--keep-sealed"), .success,
      errors: """
        sdkctl: revoke the access token: done
        sdkctl: erase the stored access token: done

        """)
    let kept = try await #require(try program.stored())
    #expect(kept.accessToken.isEmpty)
    #expect(kept.isSealed)
    #expect(try await program.run("token").status == .status(.authenticationRequired))
    let again = try await program.run("logout", "--keep-sealed")
    #expect(again.errors.contains("nobody was logged in"))
  }

  @Test("revokes the implicit token too, and first")
  func implicit() async throws {
    let program = try await TestProgram.loggedIn()
    try await program.store("i1", refreshToken: nil, in: .implicit)
    let run = try await program.run("logout", "--json")
    #expect(run.status == .status(.success))
    #expect(run.errors == "")
    func step(_ name: String, _ slot: JSON) -> JSON {
      ["step": .string(name), "outcome": "done", "message": .null, "slot": slot, "userID": .null]
    }
    #expect(
      run.json == [
        "profile": "work", "error": .null,
        "steps": [
          step("revoke_access_token", "implicit"), step("erase", "implicit"),
          step("revoke_refresh_token", .null), step("revoke_access_token", .null),
          step("erase", .null),
        ],
      ])
  }

  @Test("says that nobody was logged in")
  func empty() async throws {
    let program = try TestProgram([:])
    expect(
      try await program.run("logout"), .success,
      errors: "sdkctl: nobody was logged in to 'work'\n")
    let run = try await program.run("logout", "--json")
    #expect(run.json == ["profile": "work", "steps": [], "error": .null])
  }
}
