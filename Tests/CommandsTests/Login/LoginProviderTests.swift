import JSON
import TestSupport
import Testing

@testable import Commands

@Suite("login --idp")
struct LoginProviderTests {
  @Test("refuses an identity provider that the profile does not know, before the browser opens")
  func unknown() async throws {
    let program = try TestProgram(["identityProviders": "corp"])
    try await program.register()
    let run = try await program.run("login", "--idp", "house", "--json")
    #expect(run.status == .status(.usage))
    #expect(run.jsonError?["number"] == 10020)
    #expect(program.browser.opened.isEmpty)
  }
}
