import CoreTestSupport

@testable import Commands

@Suite("token with options")
struct TokenOptionsTests {
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
