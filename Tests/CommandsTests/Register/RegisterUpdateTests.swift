import JSON
import TestSupport
import Testing

@testable import Commands

@Suite("register update")
struct RegisterUpdateTests {
  private static let answer = FakeTransport.Response.json(
    #"{"client_id":"app","client_secret":"secret-2","client_name":"mine","scope":"a"}"#)

  @Test("changes what is named, leaves the rest, and prints the registration")
  func changes() async throws {
    let program = try await ManagedClient.program(Self.answer)
    let run = try await program.run("register", "update", "--client-name", "mine")
    expect(
      run, .success,
      output: """
        client_id: app
        client_name: mine
        registration_client_uri: https://id.test/register/app
        scope: a

        """,
      errors: "sdkctl: updated the registration of 'work'\n")
    #expect(
      program.transport.lines.suffix(2) == ["GET \(ManagedClient.url)", "PUT \(ManagedClient.url)"])
    let sent = try JSON(parsing: try #require(program.transport.sent.last).body)
    #expect(sent["client_name"] == "mine")
    #expect(sent["scope"] == "a")
  }

  @Test("sends every option that it has")
  func options() async throws {
    let program = try await ManagedClient.program(Self.answer)
    let statement = try program.folder.write("eyJhbGciOiJFUzI1NiJ9.e30.AAAA\n", to: "statement")
    let run = try await program.run(
      "register", "update", "--scope", "b", "--callback-port", "8976", "--auth-method",
      "client_secret_post", "--software-id", "s1", "--software-version", "2",
      "--software-statement-file", statement, "--contact", "a@x.test", "--json")
    #expect(run.status == .status(.success))
    let sent = try JSON(parsing: try #require(program.transport.sent.last).body)
    for (name, value) in [
      ("scope", "b"), ("token_endpoint_auth_method", "client_secret_post"), ("software_id", "s1"),
      ("software_version", "2"), ("software_statement", "eyJhbGciOiJFUzI1NiJ9.e30.AAAA"),
      ("contacts", ["a@x.test"]), ("redirect_uris", ["http://127.0.0.1:8976/callback"]),
      ("client_name", "mine"),
    ] as [(String, JSON)] {
      #expect(sent[name] == value, "\(name)")
    }
  }

  @Test("makes a certificate, and reports it")
  func certificate() async throws {
    let program = try await ManagedClient.program(.json(#"{"client_id":"app"}"#))
    let run = try await program.run(
      "register", "update", "--auth-method", "self_signed_tls_client_auth")
    #expect(run.status == .status(.success))
    #expect(run.output.hasPrefix("certificate: CN=sdkctl, "))
  }

  @Test("sends nothing if there is no registration")
  func unregistered() async throws {
    let program = try TestProgram([:])
    let run = try await program.run("register", "update")
    #expect(run.status == .status(.authenticationRequired))
    #expect(!program.transport.lines.contains { $0.hasPrefix("PUT") })
  }
}
