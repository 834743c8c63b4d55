import CoreTestSupport

@testable import Commands

@Suite("the host that a browser is sent to", .timeLimit(.minutes(10)))
struct BrowserTargetTests {
  private static let mismatch = TransportError(
    .pinMismatch, "no key of the certificate chain of id.test is pinned", host: "id.test",
    details: ["chain of id.test:", "  sha256/A", "pinned for id.test:", "  sha256/B"])

  @Test(
    "is checked first: after a mismatch no login opens a browser or shows the address",
    arguments: [["login"], ["login", "--manual"]])
  func login(words: [String]) async throws {
    let program = try await LoginTests.program(redirectURI: "http://127.0.0.1/callback")
    if words.contains("--manual") { program.terminal.connect(.input, .errors) }
    program.refuse("id.test", with: Self.mismatch)
    let run = try await program.run(words)
    #expect(run.status == .status(.pin))
    #expect(run.errors.contains("no key of the certificate chain of id.test is pinned"))
    #expect(run.errors.contains("sha256/A"))
    #expect(!run.errors.contains("https://id.test/authorize"))
    #expect(program.browser.opened.isEmpty)
    #expect(program.verifiedPlaces == ["id.test:443"])
  }

  @Test(
    "is not checked if only a person opens it, but must have TLS", arguments: ["https", "http"])
  func device(scheme: String) async throws {
    let program = try await LoginTests.program(redirectURI: "http://127.0.0.1/callback")
    program.refuse("page.test", with: Self.mismatch)
    program.transport.respond(
      "https://id.test/device",
      .json(
        #"{"device_code":"d","user_code":"WDJB-MJHT","verification_uri":"\#(scheme)://page.test/d","#
          + #""expires_in":600}"#))
    let run = try await program.run("login", "--device")
    #expect(run.status == .status(scheme == "https" ? .success : .policy))
    #expect(run.errors.contains("WDJB-MJHT") == (scheme == "https"))
    #expect(run.errors.contains("its public address is misconfigured") == (scheme == "http"))
    #expect(program.verifiedPlaces == [])
  }

  @Test("is checked before a logout ends the session in the browser")
  func logout() async throws {
    let program = try await TestProgram.loggedIn(["endpoints.endSession": "https://id.test/out"])
    program.refuse("id.test", with: Self.mismatch)
    let run = try await program.run("logout", "--end-session")
    #expect(run.status == .status(.pin))
    #expect(program.browser.opened.isEmpty)
    #expect(program.verifiedPlaces == ["id.test:443"])
  }
}
