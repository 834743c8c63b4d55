import HTTP
import JSON
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("token introspect, refresh and revoke")
struct TokenServerTests {
  private static let introspection = "https://id.test/introspect"

  private static func program(_ answer: FakeTransport.Answer? = nil) throws -> TestProgram {
    let program = try TestProgram.loggedIn()
    program.transport.answer(
      FakeServer.metadataURL,
      .json(FakeServer.metadata(with: #""introspection_endpoint":"\#(introspection)""#)))
    if let answer { program.transport.answer(introspection, answer) }
    return program
  }

  @Test("introspect asks about the stored token, or one of a file or standard input")
  func introspect() async throws {
    let program = try Self.program(.json(#"{"active":true,"scope":"a"}"#))
    let line = #"{"active":true,"scope":"a"}"# + "\n"
    expect(try await program.run("token", "introspect"), .success, output: line)
    #expect(
      program.transport.sent.last?.body.contains("token=u1&token_type_hint=access_token") == true)
    expect(
      try await program.run("token", "introspect", "-", input: " opaque\n"), .success, output: line)
    let body = try #require(program.transport.sent.last?.body)
    #expect(body.contains("token=opaque"))
    #expect(!body.contains("token_type_hint"))
    expect(
      try await program.run("token", "introspect", "--refresh-token", "--field", "active"),
      .success,
      output: "true\n")
    #expect(
      program.transport.sent.last?.body.contains("token=refresh-1&token_type_hint=refresh_token")
        == true)
  }

  @Test("introspect says what is missing: a token, an endpoint, a signature")
  func troubles() async throws {
    let program = try Self.program(.json(#"{"active":true}"#))
    #expect(
      try await program.run("token", "introspect", "--signed").status == .status(.verification))
    let none = try await program.run("token", "introspect", "--anonymous")
    #expect(none.status == .status(.authenticationRequired))
    #expect(none.errors.contains("'work' has no access token"))
    let empty = try await program.run("token", "introspect", "-", input: "\n")
    #expect(empty.status == .status(.failure))
    let without = try await TestProgram.loggedIn().run("token", "introspect")
    #expect(without.status == .status(.failure))
    #expect(without.errors.contains("offers no introspection endpoint"))
  }

  @Test("refresh gets new tokens though the stored ones are valid, and prints none")
  func refresh() async throws {
    let program = try Self.program()
    let run = try await program.run("token", "refresh", "--json")
    #expect(
      run.json == [
        "profile": "work", "slot": "user", "expires": "2027-01-15T08:10:00Z", "scope": "a b",
        "refreshable": true,
      ])
    #expect(try program.stored()?.accessToken == "u2")
    expect(
      try await Self.program().run("token", "refresh"), .success,
      errors: "sdkctl: the token is new: it expires 2027-01-15T08:10:00Z, in 10 minutes\n")
  }

  @Test("revoke revokes the stored access token, and the next use refreshes")
  func revoke() async throws {
    let program = try Self.program()
    expect(
      try await program.run("token", "revoke"), .success,
      errors: "sdkctl: revoked the access token\n")
    let sent = try #require(program.transport.sent.last)
    #expect(sent.url == "https://id.test/revoke")
    #expect(sent.body.contains("token=u1&token_type_hint=access_token"))
    #expect(try program.stored()?.refreshToken == "refresh-1")
    expect(try await program.run("token"), .success, output: "u2\n")
  }

  @Test("revoke --refresh-token erases the refresh token; with a file, nothing is erased")
  func revokeOthers() async throws {
    let program = try Self.program()
    let other = try await program.run("token", "revoke", "-", "--json", input: "else\n")
    #expect(other.json == ["revoked": "token", "profile": "work"])
    #expect(program.transport.sent.last?.body.contains("token=else") == true)
    #expect(try program.stored()?.refreshToken == "refresh-1")
    _ = try await program.run("token", "revoke", "--refresh-token")
    #expect(program.transport.sent.last?.body.contains("token=refresh-1") == true)
    #expect(try program.stored()?.refreshToken == nil)
    #expect(try program.stored()?.accessToken == "u1")
  }

  @Test("revoke keeps the tokens if the server fails")
  func failed() async throws {
    let program = try Self.program()
    program.transport.answer("https://id.test/revoke", .status(503))
    #expect(try await program.run("token", "revoke").status == .status(.network))
    expect(try await program.run("token"), .success, output: "u1\n")
  }
}
