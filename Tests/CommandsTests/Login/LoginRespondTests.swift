import CoreTestSupport

@testable import Commands

@Suite("login by scheme and login respond", .timeLimit(.minutes(10)))
struct LoginRespondTests {
  private static let address = "com.example.app:/cb?code=c&state="

  private static func program() async throws -> TestProgram {
    try await LoginTests.program(redirectURI: "com.example.app:/cb")
  }

  @Test("passes the address to the waiting login, which goes on", arguments: [false, true])
  func accepted(isPiped: Bool) async throws {
    let program = try await Self.program()
    program.browser.onVisit { _ in
      let address = Self.address + (program.asked("state") ?? "")
      let run = try? await program.run(
        ["login", "respond"] + (isPiped ? ["-", "--json"] : [address]),
        input: isPiped ? "\(address)\n" : "")
      #expect(run?.status == .status(.success))
      let note = "sdkctl: the login continues in the process that started it\n"
      #expect(run?.errors == (isPiped ? "" : note))
      #expect(run?.json == (isPiped ? ["accepted": true] : nil))
    }
    let run = try await program.run("login", "--scheme", "-q")
    #expect(run.status == .status(.success))
    #expect(try await program.stored()?.accessToken == "a1")
  }

  @Test(
    "works with the redirect URIs of the vendors' apps, whose schemes have no dot",
    arguments: ["authapp://Default/Authcallback", "oneginiexample://loginsuccess"])
  func openScheme(uri: String) async throws {
    let program = try await LoginTests.program(redirectURI: uri)
    program.browser.onVisit { _ in
      let address = "\(uri)?code=c&state=" + (program.asked("state") ?? "")
      let run = try? await program.run("login", "respond", address)
      #expect(run?.status == .status(.success))
    }
    let run = try await program.run("login", "--scheme", "-q")
    #expect(run.status == .status(.success), "\(run)")
    #expect(program.asked("redirect_uri") == uri)
    #expect(try await program.stored()?.accessToken == "a1")
  }

  @Test("exits with 11 for an address that is not the response, and the login keeps waiting")
  func refused() async throws {
    let program = try await Self.program()
    program.browser.onVisit { _ in
      let forged = try? await program.run("login", "respond", Self.address + "forged")
      #expect(forged?.status == .status(.verification))
      #expect(forged?.errors.hasPrefix("sdkctl: error: could not complete the login: ") == true)
      #expect(forged?.errors.hasSuffix("; it waits on\n") == true)
      _ = try? await program.run(
        "login", "respond", Self.address + (program.asked("state") ?? ""))
    }
    let run = try await program.run("login", "--scheme", "-q")
    #expect(run.status == .status(.success))
    #expect(run.errors.contains("sdkctl: the address is not the response to this request: "))
  }
}
