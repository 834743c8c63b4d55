import JSON
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("register user", .timeLimit(.minutes(10)))
struct RegisterUserTests {
  @Test("registers the client first, with the scope that is asked for, then the user")
  func client() async throws {
    let program = try TestProgram([:])
    program.transport.respond(
      "https://id.test/register", .json(#"{"client_id":"app"}"#, status: 201))
    let run = try await program.run(
      "register", "user", "--no-browser", "--idp", "corp", "--scope", "a b", "--timeout", "1")
    #expect(run.status == .status(.network))
    #expect(run.errors.hasPrefix("sdkctl: registered 'work' as app\nsdkctl: open this URL in a "))
    #expect(run.output == "")
    #expect(program.asked("idp") == "corp")
    #expect(program.asked("scope") == "a b")
    let sent = try #require(program.transport.sent.first { $0.url == "https://id.test/register" })
    #expect(try JSON(parsing: sent.body)["scope"] == "a b")
  }

  @Test("uses a client that is registered")
  func registered() async throws {
    let program = try TestProgram([:])
    try await program.register()
    let run = try await program.run("register", "user", "--timeout", "1")
    #expect(run.status == .status(.network))
    #expect(!program.transport.lines.contains("POST https://id.test/register"))
    #expect(program.browser.opened.count == 1)
  }

  @Test("refuses an identity provider that the profile does not know")
  func unknown() async throws {
    let program = try TestProgram(["identityProviders": "corp"])
    try await program.register()
    let run = try await program.run("register", "user", "--idp", "house", "--json")
    #expect(run.status == .status(.usage))
    #expect(run.jsonError?["number"] == 10020)
    #expect(program.browser.opened.isEmpty)
  }
}
