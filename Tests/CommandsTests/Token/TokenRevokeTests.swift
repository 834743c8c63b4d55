import HTTP
import JSON
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("token revoke")
struct TokenRevokeTests {
  @Test("revokes the stored access token, and the next use refreshes")
  func revoke() async throws {
    let program = try TestProgram.loggedIn()
    expect(
      try await program.run("token", "revoke"), .success,
      errors: "sdkctl: revoked the access token\n")
    let sent = try #require(program.transport.sent.last)
    #expect(sent.url == "https://id.test/revoke")
    #expect(sent.body.contains("token=u1&token_type_hint=access_token"))
    #expect(try program.stored()?.refreshToken == "refresh-1")
    expect(try await program.run("token"), .success, output: "u2\n")
  }

  @Test("--refresh-token erases the refresh token; with a file, nothing is erased")
  func revokeOthers() async throws {
    let program = try TestProgram.loggedIn()
    let other = try await program.run("token", "revoke", "-", "--json", input: "else\n")
    #expect(other.json == ["revoked": "token", "profile": "work"])
    #expect(program.transport.sent.last?.body.contains("token=else") == true)
    #expect(try program.stored()?.refreshToken == "refresh-1")
    _ = try await program.run("token", "revoke", "--refresh-token")
    #expect(program.transport.sent.last?.body.contains("token=refresh-1") == true)
    #expect(try program.stored()?.refreshToken == nil)
    #expect(try program.stored()?.accessToken == "u1")
  }

  @Test("keeps the tokens if the server fails")
  func failed() async throws {
    let program = try TestProgram.loggedIn()
    program.transport.respond("https://id.test/revoke", .status(503))
    #expect(try await program.run("token", "revoke").status == .status(.network))
    expect(try await program.run("token"), .success, output: "u1\n")
  }
}
