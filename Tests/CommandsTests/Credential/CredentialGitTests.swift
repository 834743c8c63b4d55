import CoreTestSupport
import Foundation
import SDKCore

@testable import Commands

@Suite("credential git")
struct CredentialGitTests {
  private static func program(lifetime: Int64? = 3600) async throws -> TestProgram {
    try await .loggedIn(["allowedHosts": ["git.test", "other.test:8443"]], lifetime: lifetime)
  }

  @Test(
    "get returns nothing for a server that the profile does not allow",
    arguments: [
      "protocol=https\nhost=evil.test\n", "protocol=http\nhost=git.test\n",
      "protocol=https\nhost=git.test:444\n", "protocol=https\nhost=git.test@evil.test\n",
      "protocol=https\nhost=evil.test/git.test\n", "protocol=ssh\nhost=git.test\n",
      "host=git.test\n",
      "protocol=https\n", "\nprotocol=https\nhost=git.test\n", "",
      "protocol=https\nhost=git.test\nhost=evil.test\n",
      "protocol=https\nhost=git.test?.evil.test\n", "protocol=https\nhost=git.test#.evil.test\n",
      "protocol=https\nhost=git.test#@evil.test\n", "protocol=https\nhost=git.test:\n",
      "protocol=https\nhost=other.test:08443\n", "protocol=https\nhost=git.test/evil\n",
      "protocol=https\nhost=git%2Etest\n", "protocol=https\nhost=git.test@\n",
      "url=https://git.test?@evil.test/a\n", "url=https://git.test#@evil.test/a\n",
      "url=https://a@git.test/a\n", "url=git.test\n", "url=https:git.test\n",
    ])
  func notAllowed(input: String) async throws {
    expect(
      try await Self.program().run("credential", "git", "get", input: input + "\n"), .success)
  }

  @Test(
    "refuses what git would read in another way: control characters, and line breaks of an option",
    arguments: ["get", "erase", "store"])
  func controls(action: String) async throws {
    let program = try await Self.program()
    for line in ["username=a\rpassword=b", "host=git.test\r", "path=a\u{7F}", "x=\u{1}"] {
      let run = try await program.run(
        "credential", "git", action, input: "protocol=https\nhost=git.test\n\(line)\n\n")
      let name = line.prefix { $0 != "=" }
      expect(
        run, .failure,
        errors:
          "sdkctl: error: could not read the request of git: '\(name)' has a control character\n")
    }
    for name in ["a\npassword=b", "a\r", "a\u{0}", ""] {
      let run = try await program.run(
        "credential", "git", "--username", name, action,
        input: "protocol=https\nhost=git.test\n\n")
      #expect(run.status == .status(.usage), "\(run)")
      #expect(run.output == "")
    }
  }

  @Test("get logs in by browser with --interactive, unless the environment forbids questions")
  func interactive() async throws {
    for (name, value) in [("GIT_TERMINAL_PROMPT", "0"), ("SDKCTL_PROMPT", "never"), ("X", "y")] {
      let program = try TestProgram(["allowedHosts": ["git.test"]])
      try await program.register()
      program.setVariable(name, value)
      program.browser.remove()
      let run = try await program.run(
        "credential", "git", "--interactive", "get", input: "protocol=https\nhost=git.test\n\n")
      #expect(run.output == "")
      #expect(program.browser.opened.isEmpty == (name != "X"), "\(name)")
    }
  }

  @Test("shows a login on the terminal, not on standard error")
  func terminal() async throws {
    let program = try TestProgram(["allowedHosts": ["git.test"]])
    try await program.register()
    program.browser.remove()
    let shown = try FileHandle(
      forUpdating: URL(fileURLWithPath: program.folder.write("", to: "terminal")))
    program.terminal.show(in: Output(descriptor: shown.fileDescriptor, capacity: 0))
    let run = try await program.run(
      "credential", "git", "--interactive", "get", "--timeout", "1",
      input: "protocol=https\nhost=git.test\n\n")
    #expect(!run.errors.contains("https://id.test/authorize"))
    #expect(try program.folder.text(of: "terminal").contains("https://id.test/authorize?"))
    withExtendedLifetime(shown) {}
  }
}
