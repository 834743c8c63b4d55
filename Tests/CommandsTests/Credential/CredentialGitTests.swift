import Foundation
import JSON
import POSIX
import Primitives
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("credential git")
struct CredentialGitTests {
  private static func program(lifetime: Int64? = 3600) async throws -> TestProgram {
    try await .loggedIn(["allowedHosts": ["git.test", "other.test:8443"]], lifetime: lifetime)
  }

  @Test(
    "get returns the token as the password, or as a bearer token if git and the server take one",
    arguments: [
      ([], "username=oauth2\npassword=u1\npassword_expiry_utc=1800003600\n"),
      (["username=me"], "username=me\npassword=u1\npassword_expiry_utc=1800003600\n"),
      (["capability[]=state"], "username=oauth2\npassword=u1\npassword_expiry_utc=1800003600\n"),
      (["capability[]=authtype"], bearer),
      (["capability[]=authtype", "wwwauth[]=Basic realm=\"x\"", "wwwauth[]=bearer a=b"], bearer),
      (
        ["capability[]=authtype", "wwwauth[]=Basic realm=\"x\""],
        "username=oauth2\npassword=u1\npassword_expiry_utc=1800003600\n"
      ),
      (["capability[]=authtype", "wwwauth[]=Basic x", "wwwauth[]="], bearer),
      (
        ["unknown=1", "novalue", "path=a/b.git"],
        "username=oauth2\npassword=u1\npassword_expiry_utc=1800003600\n"
      ),
    ] as [([String], String)])
  func get(lines: [String], output: String) async throws {
    let program = try await Self.program()
    let input = (lines + ["protocol=https", "host=git.test", ""]).map { $0 + "\n" }.joined()
    expect(
      try await program.run("credential", "git", "get", input: input), .success, output: output)
    #expect(program.transport.sent.isEmpty)
  }

  private static let bearer = """
    capability[]=authtype
    authtype=Bearer
    credential=u1
    password_expiry_utc=1800003600
    ephemeral=1

    """

  @Test("get omits the expiry if it is not known, and accepts a URL and another user name")
  func forms() async throws {
    let program = try await Self.program(lifetime: nil)
    expect(
      try await program.run(
        "credential", "git", "--username", "x-token-auth", "get",
        input: "url=https://git.test/a\n\n"),
      .success, output: "username=x-token-auth\npassword=u1\n")
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

  @Test("get takes the host in capitals, and with the port of https, as git passes them on")
  func spellings() async throws {
    for host in ["GIT.test", "git.test:443", "git.test"] {
      let run = try await Self.program().run(
        "credential", "git", "get", input: "protocol=https\nhost=\(host)\n\n")
      #expect(run.output.contains("password=u1\n"), "\(host)")
    }
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

  @Test("get refreshes a token that expires soon, and asks for a login if there is none")
  func refreshes() async throws {
    let input = "protocol=https\nhost=other.test:8443\n\n"
    expect(
      try await Self.program(lifetime: 10).run("credential", "git", "get", input: input), .success,
      output: "username=oauth2\npassword=u2\npassword_expiry_utc=1800000600\n")
    let program = try TestProgram(["allowedHosts": ["other.test:8443"]])
    let run = try await program.run("credential", "git", "get", input: input)
    #expect(run.status == .status(.authenticationRequired))
    #expect(run.output == "")
  }

  @Test("erase makes the next get refresh, if that token was refused")
  func erase() async throws {
    let program = try await Self.program()
    let request = "protocol=https\nhost=git.test\n"
    expect(
      try await program.run("credential", "git", "erase", input: request + "password=other\n\n"),
      .success)
    for host in ["evil.test", "git.test?.evil.test", ""] {
      expect(
        try await program.run(
          "credential", "git", "erase", input: "protocol=https\nhost=\(host)\npassword=u1\n\n"),
        .success)
    }
    expect(try await program.run("token"), .success, output: "u1\n")
    expect(
      try await program.run("credential", "git", "erase", input: request + "password=u1\n\n"),
      .success)
    #expect(program.transport.sent.isEmpty)
    let got = try await program.run("credential", "git", "get", input: request + "\n")
    #expect(got.output.contains("password=u2\n"))
    expect(
      try await program.run("credential", "git", "erase", input: request + "credential=u2\n\n"),
      .success)
    #expect(try await program.stored()?.expires == TestProgram.now)
  }

  @Test("store and unknown actions do nothing; capability tells what get understands")
  func others() async throws {
    let program = try await Self.program()
    for action in ["store", "approve"] {
      expect(
        try await program.run(
          "credential", "git", action, input: "protocol=https\nhost=git.test\npassword=x\n\n"),
        .success)
    }
    expect(
      try await program.run("credential", "git", "capability"), .success,
      output: "version 0\ncapability authtype\n")
    #expect(try await program.stored()?.accessToken == "u1")
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

  @Test("returns no token that is bound to a key")
  func bound() async throws {
    let program = try await Self.program()
    try await program.store("bound", type: "DPoP")
    let run = try await program.run(
      "credential", "git", "get", input: "protocol=https\nhost=git.test\n\n")
    #expect(run.status == .status(.policy))
    #expect(run.output == "")
  }

  @Test("install prints the commands for each server that the profile allows")
  func install() async throws {
    let program = try await Self.program()
    let run = try await program.run("credential", "git", "install", "--min-ttl", "60")
    #expect(run.status == .status(.success))
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 6)
    #expect(
      lines[0] == "git config --global --replace-all credential.https://api.test.helper ''")
    #expect(
      lines[3].hasPrefix(
        "git config --global --add credential.https://git.test.helper '!SDKCTL_HOME="))
    #expect(lines[5].containsText("credential git --min-ttl 60"))
    #expect(lines[5].containsText("credential.https://other.test:8443.helper"))
  }

  @Test("install passes the authorities of the profile on to git")
  func authorities() async throws {
    let program = try await Self.program()
    let file = try program.folder.write(try ProfileSetTests.authority(), to: "ca.pem")
    _ = try await program.run("profile", "set", "caFile=\(file)")
    let run = try await program.run("credential", "git", "install")
    #expect(
      run.output.contains(
        "git config --global --replace-all http.https://api.test.sslCAInfo \(file)\n"),
      "\(run)")
  }
}
