import HTTP
import JSON
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("token refresh")
struct TokenRefreshTests {
  @Test("gets new tokens although the stored ones are valid, and prints none")
  func refresh() async throws {
    let program = try await TestProgram.loggedIn()
    let run = try await program.run("token", "refresh", "--json")
    #expect(run.json?["profile"] == "work" && run.json?["slot"] == "user")
    #expect(run.json?["expires"] == "2027-01-15T08:10:00Z" && run.json?["scope"] == "a b")
    #expect(run.json?["refreshable"] == true)
    #expect(try await program.stored()?.accessToken == "u2")
    expect(
      try await TestProgram.loggedIn().run("token", "refresh"), .success,
      errors: "sdkctl: the token is new: it expires 2027-01-15T08:10:00Z, in 10 minutes\n")
  }
}
