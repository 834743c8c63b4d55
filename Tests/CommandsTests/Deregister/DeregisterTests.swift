import JSON
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("deregister")
struct DeregisterTests {
  private static let management = "https://id.test/register/app"

  /// A client that the server lets delete itself, and a user who is logged in.
  private static func program(
    _ answer: FakeTransport.Response = .status(204)
  ) async throws -> TestProgram {
    let program = try await TestProgram.loggedIn(client: [
      "registration_client_uri": .string(management), "registration_access_token": "rat-1",
    ])
    program.transport.respond(management, answer)
    return program
  }

  @Test("revokes, deletes and erases, and reports each step")
  func whole() async throws {
    let program = try await Self.program()
    expect(
      try await program.run("deregister", "--yes"), .success,
      errors: """
        sdkctl: revoke the refresh token (user): done
        sdkctl: revoke the access token (user): done
        sdkctl: erase the stored tokens (user): done
        sdkctl: delete the registration: done
        sdkctl: erase the stored registration: done

        """)
    #expect(program.transport.lines.last == "DELETE \(Self.management)")
    #expect(try await program.stored() == nil)
    let state = try await program.run("profile", "show", "--json")
    #expect(state.json?["state"]?["registered"] == false)
  }

  @Test("asks on a terminal, and needs --yes elsewhere")
  func asks() async throws {
    let program = try await Self.program()
    #expect(try await program.run("deregister").status == .status(.usage))
    program.terminal.connect(.input, .errors)
    program.terminal.type("n")
    #expect(try await program.run("deregister").status == .status(.declined))
    #expect(
      program.terminal.prompts == ["Delete the registration of 'work' and all its tokens?"])
    #expect(program.transport.sent.isEmpty)
    #expect(try await program.stored()?.accessToken == "u1")
  }

  @Test("keeps the registration if the server may still hold it, and says how to try again")
  func trouble() async throws {
    let program = try await Self.program(.status(503))
    let run = try await program.run("deregister", "--yes", "--json")
    #expect(run.status == .status(.network))
    #expect(
      run.json?["steps"]?.array?.map { $0["outcome"] } == [
        "done", "done", "done", "failed", "skipped",
      ])
    #expect(
      run.json?["steps"]?.array?.map { $0["slot"] } == ["user", "user", "user", .null, .null])
    #expect(run.jsonError?["hint"] == "sdkctl -p work deregister")
    #expect(try await program.stored() == nil)
    let state = try await program.run("profile", "show", "--json")
    #expect(state.json?["state"]?["registered"] == true)
  }

  @Test("with --local erases all and sends no request")
  func local() async throws {
    let program = try await Self.program()
    let run = try await program.run("deregister", "--local", "--yes")
    #expect(run.status == .status(.success))
    #expect(run.errors.hasSuffix("sdkctl: erase the stored registration: done\n"))
    #expect(program.transport.sent.isEmpty)
    let state = try await program.run("profile", "show", "--json")
    #expect(state.json?["state"]?["registered"] == false)
  }

  @Test("--all needs no current profile, and asks nothing if there is none at all")
  func all() async throws {
    expect(
      try await TestProgram().run("deregister", "--all"), .success,
      errors: "sdkctl: there are no profiles\n")
    let program = try await Self.program()
    try await program.store.add(try Profile(name: try ProfileName("other")))
    let run = try await program.run("-p", "other", "deregister", "--all", "--yes", "--json")
    #expect(run.status == .status(.usage))
    let both = try await program.run("deregister", "--all", "--yes", "--json")
    #expect(both.json?.array?.map { $0["profile"] } == ["other", "work"])
  }

  @Test("says that there was nothing to undo")
  func empty() async throws {
    let program = try TestProgram([:])
    expect(
      try await program.run("deregister", "--yes"), .success,
      errors: "sdkctl: 'work' was not registered\n")
    let run = try await program.run("deregister", "--yes", "--json")
    #expect(run.json == ["profile": "work", "steps": [], "error": .null])
  }
}
