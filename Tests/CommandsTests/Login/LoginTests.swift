import CoreTestSupport

@testable import Commands

@Suite("login", .timeLimit(.minutes(10)))
struct LoginTests {
  /// A registered client, at a server that takes any code and any grant.
  static func program(
    _ settings: [String: JSON] = [:], redirectURI: String? = nil
  ) async throws -> TestProgram {
    let program = try TestProgram(settings)
    try await program.register(redirectURI.map { ["redirect_uris": .strings([$0])] } ?? [:])
    program.transport.respond(
      FakeServer.tokenURL,
      .json(
        #"{"access_token":"a1","token_type":"Bearer","expires_in":600,"refresh_token":"r1","#
          + #""scope":"a b"}"#))
    return program
  }

  private static let end = "the token expires 2027-01-15T08:10:00Z, in 10 minutes"

  /// A person who signs in at once: the browser comes back with the code `c`.
  private static func signIn(_ program: TestProgram, _ answer: String = "code=c") {
    program.browser.onVisit { url in
      // A login page of this machine leads on to the server.
      guard let page = await Self.authorization(behind: url),
        let query = FormParameters(encoded: page.query ?? ""),
        let back = query["redirect_uri"].flatMap({ try? HTTPURL($0) }), let state = query["state"]
      else { return }
      _ = await BrowserStub.get(back.port, "\(back.path)?\(answer)&state=\(state)")
    }
  }

  private static func authorization(behind url: HTTPURL) async -> HTTPURL? {
    guard url.isLoopback else { return url }
    let page = await BrowserStub.get(url.port, url.target)
    return (page?.fields["location"]).flatMap { try? HTTPURL($0) }
  }

  @Test("opens a browser, exchanges the code and says who is logged in until when")
  func browser() async throws {
    let program = try await Self.program()
    Self.signIn(program)
    let run = try await program.run("login", "--scope", "a b")
    #expect(run.status == .status(.success))
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("sdkctl: waiting for the browser; "))
    #expect(run.errors.hasSuffix("sdkctl: logged the user in to 'work'; \(Self.end)\n"))
    #expect(try await program.stored()?.accessToken == "a1")
    #expect(program.transport.sent.last?.body.contains("code=c") == true)
    #expect(program.browser.opened.count == 1)
  }

  @Test("ends with the server's refusal")
  func refused() async throws {
    let program = try await Self.program()
    Self.signIn(program, "error=server_error&error_description=down")
    let run = try await program.run("login", "-q")
    #expect(run.status == .status(.refused))
    #expect(run.output == "")
    #expect(run.errors.contains("sdkctl: error: could not log in: server_error (down)\n"))
    #expect(try await program.stored() == nil)
  }

  @Test("by hand takes the pasted address, and asks again with what is wrong")
  func manual() async throws {
    let program = try await Self.program(redirectURI: "http://127.0.0.1:61000/cb")
    program.terminal.connect(.input, .errors)
    program.terminal.type("c")
    program.terminal.onPrompt { _ in
      "http://127.0.0.1:61000/cb?code=c&state=\(program.asked("state") ?? "")"
    }
    let run = try await program.run("login", "--manual")
    #expect(run.status == .status(.success))
    #expect(run.errors.hasPrefix("sdkctl: open this URL in a browser:\nhttps://id.test/authorize?"))
    #expect(program.browser.opened.isEmpty)
    let prompt = "Paste the last address of the browser: "
    #expect(program.terminal.prompts == [prompt, prompt])
    #expect(
      run.errors.contains(
        "sdkctl: this address is not the response to this login: it has no state, so it cannot be "
          + "matched with this login\n"))
    #expect(try await program.stored()?.accessToken == "a1")
  }

  @Test(
    "by hand works with the redirect URIs of the vendors' apps, and with that of the profile",
    arguments: [
      "authapp://Default/Authcallback", "oneginiexample://loginsuccess", "https://app.test/cb",
    ])
  func manualApp(uri: String) async throws {
    let program = try await Self.program(redirectURI: uri)
    program.terminal.connect(.input, .errors)
    program.terminal.onPrompt { _ in "\(uri)?code=c&state=\(program.asked("state") ?? "")" }
    let run = try await program.run("login", "--manual")
    #expect(run.status == .status(.success), "\(run)")
    #expect(program.asked("redirect_uri") == uri)
    #expect(try await program.stored()?.accessToken == "a1")
  }

  @Test("by hand fails with what went wrong at the terminal")
  func manualTrouble() async throws {
    let program = try await Self.program()
    program.terminal.connect(.input)
    for (error, exit, message) in [
      (.endOfInput, .declined, "nothing was typed"),
      (.noTerminal, .failure, "there is no terminal"),
      (.tooLong, .failure, "the line is too long"),
      (.cancelled, .declined, "cancelled"),
    ] as [(TerminalError, ExitCode, String)] {
      program.terminal.fail(error)
      let run = try await program.run("login", "--manual", "-q")
      #expect(run.status == .status(exit), "\(message)")
      #expect(run.errors.hasSuffix("sdkctl: error: could not log in: \(message)\n"))
    }
  }
}
