import CoreTestSupport
import SDKCore

@testable import Commands

@Suite("token with options")
struct TokenOptionsTests {
  private static let short = "eyJhbGciOiJub25lIn0.eyJleHAiOjE4MDAwMDAwMTB9.AAAA"
  private static let exchange =
    #""grant_types_supported":["urn:ietf:params:oauth:grant-type:token-exchange"]"#

  @Test("--id-token refreshes one that expires, and asks for a login if no other one comes")
  func renewed() async throws {
    let program = try await TestProgram.loggedIn()
    try await program.store("u1", idToken: Self.short)
    let run = try await program.run("token", "--id-token")
    #expect(run.status == .status(.success), "\(run)")
    #expect(run.output == "\(Self.short)\n")
    #expect(program.transport.sent.last?.url == FakeServer.tokenURL)
    program.now = program.now + 60
    let expired = try await program.run("token", "--id-token")
    #expect(expired.status == .status(.authenticationRequired))
    #expect(expired.errors.contains("the ID token expired, and a refresh brought no other one"))
  }

  @Test("--audience asks the server once for each service and scope, until the token expires")
  func stored() async throws {
    let program = try await TestProgram.loggedIn()
    program.transport.respond(
      FakeServer.metadataURL, .json(FakeServer.metadata(with: Self.exchange)))
    let requests = { program.transport.lines.filter { $0 == "POST \(FakeServer.tokenURL)" }.count }
    for (words, count) in [
      (["--audience", "a"], 1), (["--audience", "a"], 1), (["--audience", "b"], 2),
      (["--audience", "a", "--scope", "a"], 3), (["--audience", "a", "--fresh"], 4),
      (["--audience", "a", "--min-ttl", "700"], 5), (["--audience", "a"], 5),
    ] {
      let run = try await program.run(["token"] + words)
      #expect(run.output == "u2\n", "\(words): \(run)")
      #expect(requests() == count, "\(words)")
    }
    program.now = program.now + 590
    _ = try await program.run("token", "--audience", "a")
    #expect(requests() == 6)
    #expect(try await program.stored()?.accessToken == "u1")
  }

  @Test("a logout erases tokens for other services, and a token of the environment gets none")
  func erased() async throws {
    let program = try await TestProgram.loggedIn()
    program.transport.respond(
      FakeServer.metadataURL, .json(FakeServer.metadata(with: Self.exchange)))
    _ = try await program.run("token", "--audience", "a")
    program.setVariable("SDKCTL_TOKEN", "ci")
    #expect(
      try await program.run("token", "--audience", "a").status == .status(.authenticationRequired))
    program.setVariable("SDKCTL_TOKEN", nil)
    _ = try await program.run("logout", "--local")
    #expect(
      try await program.run("token", "--audience", "a").status == .status(.authenticationRequired))
    let files = try program.folder.files().keys.filter { $0.contains("/derived/") }
    // The failed request has marked its beginning, and stored nothing.
    #expect(files.map { $0.split(separator: "/").last } == ["mark.json"])
  }

  @Test("--interactive logs in by browser if there is no login, and then prints the token")
  func interactive() async throws {
    let program = try TestProgram([:])
    try await program.register()
    program.terminal.connect(.errors)
    program.browser.remove()
    let run = try await program.run("token", "--interactive", "--timeout", "1")
    #expect(run.status == .status(.network))
    #expect(program.authorizationURL != nil)
    let without = try await program.run("token")
    #expect(without.status == .status(.authenticationRequired))
    try await program.store("u1")
    expect(try await program.run("token", "--interactive"), .success, output: "u1\n")
    #expect(program.browser.opened.count == 1)
  }
}
