import HTTP
import JSON
import TestSupport
import Testing

@testable import Commands

@Suite("account create", .timeLimit(.minutes(10)))
struct AccountCreateTests {
  @Test("opens the page of the profile, or prints it")
  func page() async throws {
    let program = try TestProgram(["accountURL": "https://id.test/join"])
    expect(
      try await program.run("account", "create"), .success, output: "https://id.test/join\n",
      errors: "sdkctl: a browser was started for this page:\n")
    expect(
      try await program.run("account", "create", "--no-browser"), .success,
      output: "https://id.test/join\n", errors: "sdkctl: open this page:\n")
    #expect(program.browser.opened == ["https://id.test/join"])
  }

  @Test("logs the new user in if the server announces prompt=create")
  func prompt() async throws {
    let program = try TestProgram(["accountURL": "https://id.test/join"])
    try await program.register()
    program.transport.respond(
      FakeServer.metadataURL,
      .json(FakeServer.metadata(with: #""prompt_values_supported":["create"]"#)))
    let run = try await program.run("account", "create", "--no-browser", "--timeout", "1")
    #expect(run.status == .status(.network))
    #expect(program.asked("prompt") == "create")
  }

  @Test("says what is missing if there is no way to an account")
  func none() async throws {
    let program = try TestProgram([:])
    let run = try await program.run("account", "create")
    #expect(run.status == .status(.failure))
    #expect(run.output == "")
    #expect(
      run.errors.hasSuffix(
        "sdkctl: hint: sdkctl -p work profile set accountURL=https://HOST/PATH\n"))
  }

  @Test("tells the server an email address, and that it will write there")
  func email() async throws {
    let program = try TestProgram(["endpoints.account": "https://id.test/join"])
    try await program.register()
    program.transport.respond("https://id.test/join", .json(#"{"status":0}"#))
    let line = ["account", "create", "--email", "alice@example.com"]
    expect(
      try await program.run(line), .success,
      errors: "sdkctl: the server accepted the request; read its mail to alice@example.com\n")
    #expect(
      try await program.run(line + ["--json"]).json
        == ["profile": "work", "email": "alice@example.com", "asked": "account"])
    #expect(program.browser.opened.isEmpty)
    program.transport.respond("https://id.test/join", .json(#"{"status":1}"#))
    #expect(try await program.run(line).status == .status(.refused))
  }

  @Test("needs an endpoint of the profile for an email address")
  func noEndpoint() async throws {
    let program = try TestProgram([:])
    try await program.register()
    let run = try await program.run("account", "create", "--email", "a@b.test", "--json")
    #expect(run.status == .status(.configuration))
    #expect(
      run.jsonError?["hint"] == "sdkctl -p work profile set endpoints.account=https://HOST/PATH")
  }
}
