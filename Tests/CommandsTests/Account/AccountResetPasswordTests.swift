import JSON
import TestSupport
import Testing

@testable import Commands

@Suite("account reset-password")
struct AccountResetPasswordTests {
  @Test("opens the page of the profile, or prints it")
  func page() async throws {
    let program = try TestProgram(["resetPasswordURL": "https://id.test/reset"])
    let run = try await program.run("account", "reset-password", "--json")
    #expect(run.status == .status(.success))
    #expect(run.json == ["profile": "work", "url": "https://id.test/reset", "opened": true])
    expect(
      try await program.run("account", "reset-password", "--no-browser"), .success,
      output: "https://id.test/reset\n", errors: "sdkctl: open this page:\n")
    #expect(program.browser.opened == ["https://id.test/reset"])
    program.browser.remove()
    #expect(
      try await program.run("account", "reset-password", "--json").json?["opened"] == false)
  }

  @Test("says what is missing if the profile names no page")
  func none() async throws {
    let program = try TestProgram([:])
    let run = try await program.run("account", "reset-password")
    #expect(run.status == .status(.failure))
    #expect(
      run.errors.hasSuffix(
        "sdkctl: hint: sdkctl -p work profile set resetPasswordURL=https://HOST/PATH\n"))
    #expect(program.browser.opened.isEmpty)
  }

  @Test("tells the server an email address")
  func email() async throws {
    let program = try TestProgram(["endpoints.passwordReset": "https://id.test/r"])
    try await program.register()
    program.transport.respond("https://id.test/r", .json(#"{"status":0}"#))
    let run = try await program.run(
      "account", "reset-password", "--email", "alice@example.com", "--json")
    #expect(run.status == .status(.success))
    #expect(
      run.json == ["profile": "work", "email": "alice@example.com", "asked": "password_reset"])
    let body = try JSON(parsing: try #require(program.transport.sent.last).body)
    #expect(body["email"] == "alice@example.com")
  }
}
