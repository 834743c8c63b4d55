import HTTP
import JSON
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("token introspect")
struct TokenIntrospectTests {
  private static let introspection = "https://id.test/introspect"

  private static func program(_ answer: FakeTransport.Response? = nil) async throws -> TestProgram {
    let program = try await TestProgram.loggedIn()
    program.transport.respond(
      FakeServer.metadataURL,
      .json(FakeServer.metadata(with: #""introspection_endpoint":"\#(introspection)""#)))
    if let answer { program.transport.respond(introspection, answer) }
    return program
  }

  @Test("asks about the stored token, or one of a file or standard input")
  func introspect() async throws {
    let program = try await Self.program(.json(#"{"active":true,"scope":"a"}"#))
    let line = #"{"active":true,"scope":"a"}"# + "\n"
    expect(try await program.run("token", "introspect"), .success, output: line)
    #expect(
      program.transport.sent.last?.body.contains("token=u1&token_type_hint=access_token") == true)
    expect(
      try await program.run("-p", "work", "token", "introspect", "-", input: " opaque\n"), .success,
      output: line)
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

  @Test(
    "a token of a file goes to the server that issued it, or to that of a named profile",
    arguments: ["introspect", "revoke"])
  func issuers(verb: String) async throws {
    let program = try await Self.program(.json(#"{"active":true}"#))
    let token = { (issuer: String) in TestToken.text(#"{"iss":"\#(issuer)"}"#) }
    let response: JSON = [
      "access_token": "opaque", "id_token": .string(token("https://id.test")),
    ]
    for input in [token("https://id.test"), token("https://id.test/"), response.serialized()] {
      let run = try await program.run("token", verb, "-", input: input)
      #expect(run.status == .status(.success), "\(run)")
    }
    let count = program.transport.sent.count
    for (input, cause) in [
      (token("https://other.test"), "it is of 'https://other.test', not of the server of 'work'"),
      ("opaque", "it does not say whose it is"),
    ] {
      let run = try await program.run("token", verb, "-", input: input)
      #expect(run.status == .status(.usage))
      #expect(run.errors.contains("could not \(verb) the token: \(cause)"), "\(run)")
      #expect(run.errors.contains("hint: sdkctl -p work token \(verb) -\n"), "\(run)")
    }
    #expect(program.transport.sent.count == count)
    let named = try await program.run(
      "-p", "work", "token", verb, "-", input: token("https://other.test"))
    #expect(named.status == .status(.success), "\(named)")
  }

  @Test("says what is missing: a token, an endpoint, a signature")
  func troubles() async throws {
    let program = try await Self.program(.json(#"{"active":true}"#))
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
}
