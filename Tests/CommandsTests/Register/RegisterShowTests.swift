import JSON
import TestSupport
import Testing

@testable import Commands

@Suite("register show")
struct RegisterShowTests {
  private static let answer = FakeTransport.Response.json(
    #"{"client_id":"app","client_secret":"secret-2","client_name":"theirs","#
      + #""client_id_issued_at":1799999000,"client_secret_expires_at":1800000600}"#)

  @Test("prints the server's registration as text, without a credential")
  func text() async throws {
    let run = try await ManagedClient.program(Self.answer).run("register", "show")
    expect(
      run, .success,
      output: """
        client_id: app
        client_id_issued_at: 2027-01-15T07:43:20Z
        client_name: theirs
        client_secret_expires_at: expires 2027-01-15T08:10:00Z, in 10 minutes
        registration_client_uri: https://id.test/register/app

        """)
  }

  @Test("prints the same as JSON, and stores a new secret")
  func json() async throws {
    let program = try await ManagedClient.program(Self.answer)
    let run = try await program.run("register", "show", "--json")
    #expect(run.status == .status(.success))
    #expect(run.errors == "")
    #expect(run.json?["metadata"]?["client_name"] == "theirs")
    #expect(run.json?["secretExpires"] == "2027-01-15T08:10:00Z")
    #expect(run.json?["managed"] == true)
    #expect(!run.output.contains("secret-2") && !run.output.contains("rat-1"))
    #expect(program.transport.lines.last == "GET \(ManagedClient.url)")
    let file = try program.folder.text(of: "store/state/profiles/work/registration.json")
    #expect(file.contains("secret-2"))
  }

  @Test("fails if there is no registration, or if it cannot be managed")
  func unmanaged() async throws {
    let program = try TestProgram([:])
    try await program.register()
    let run = try await program.run("register", "show")
    #expect(run.status == .status(.failure))
    #expect(run.output == "")
    let none = try await TestProgram([:]).run("register", "show")
    expect(
      none, .authenticationRequired,
      errors: """
        sdkctl: error: could not use 'work': this installation is not registered
        sdkctl: hint: sdkctl -p work register

        """)
  }

  @Test("says what helps if the server no longer accepts the management token")
  func refused() async throws {
    let program = try await ManagedClient.program(.json(#"{"error":"invalid_token"}"#, status: 401))
    let run = try await program.run("register", "show", "--json")
    #expect(run.status == .status(.refused))
    #expect(run.output == "")
    #expect(run.jsonError?["hint"] == "sdkctl -p work register --replace")
  }
}
