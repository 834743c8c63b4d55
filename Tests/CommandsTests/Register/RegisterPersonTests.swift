import HTTP
import JSON
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("register, of people", .timeLimit(.minutes(2)))
struct RegisterPersonTests {
  /// The command lines, in one place.
  private enum Line {
    static let user = ["register", "--user"]
    static let account = ["register", "--account"]
    static let reset = ["register", "--reset-password"]
  }

  @Test("leads to the page of the profile, in a browser or as text")
  func page() async throws {
    let program = try TestProgram([
      "accountURL": "https://id.test/join", "resetPasswordURL": "https://id.test/reset",
    ])
    expect(
      try await program.run(Line.account), .success, output: "https://id.test/join\n",
      errors: "sdkctl: a browser was started for this page:\n")
    expect(
      try await program.run(Line.reset + ["--no-browser"]), .success,
      output: "https://id.test/reset\n", errors: "sdkctl: open this page:\n")
    #expect(program.browser.opened == ["https://id.test/join"])
    let run = try await program.run(Line.reset + ["--json"])
    #expect(
      run.json == ["profile": "work", "url": "https://id.test/reset", "opened": true])
  }

  @Test("fails where the profile names no page")
  func noPage() async throws {
    let program = try TestProgram([:])
    try program.register()
    let run = try await program.run(Line.reset)
    #expect(run.status != .status(.success))
    #expect(run.output == "")
    #expect(program.browser.opened.isEmpty)
  }

  @Test("tells the server a mail address, and says to look for its letter")
  func mail() async throws {
    let program = try TestProgram([
      "endpoints.account": "https://id.test/join", "endpoints.passwordReset": "https://id.test/r",
    ])
    try program.register()
    program.transport.answer("https://id.test/join", .json(#"{"status":0}"#))
    program.transport.answer("https://id.test/r", .json(#"{"status":0}"#))
    let words = ["--email", "alice@example.com"]
    expect(
      try await program.run(Line.account + words), .success,
      errors: """
        sdkctl: the server took it; look for its letter in the mailbox of alice@example.com

        """)
    for (line, asked) in [(Line.account, "account"), (Line.reset, "password_reset")] {
      let run = try await program.run(line + words + ["--json"])
      #expect(
        run.json == [
          "profile": "work", "email": "alice@example.com", "asked": .string(asked),
        ])
    }
    program.transport.answer("https://id.test/join", .json(#"{"status":1}"#))
    let refused = try await program.run(Line.account + words)
    #expect(refused.status == .status(.refused))
    #expect(
      try await program.run(Line.account + ["--email", "nobody"]).status == .status(.usage))
  }

  @Test("registers the client first, then the user in the browser")
  func user() async throws {
    let program = try TestProgram([:])
    program.transport.answer(
      "https://id.test/register", .json(#"{"client_id":"app"}"#, status: 201))
    let run = try await program.run(
      Line.user + ["--no-browser", "--idp", "corp", "--timeout", "1"])
    #expect(run.status == .status(.network))
    #expect(run.errors.hasPrefix("sdkctl: registered 'work' as app\nsdkctl: open this URL in a "))
    #expect(run.output == "")
    #expect(program.asked("idp") == "corp")
  }
}
