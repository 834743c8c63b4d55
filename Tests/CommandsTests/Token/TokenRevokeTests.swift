import CoreTestSupport
import SDKCore

@testable import Commands

@Suite("token revoke")
struct TokenRevokeTests {
  @Test(
    "sends the token alone, without what stands around it in a file",
    arguments: [
      ("Bearer t-1", [], "token=t-1"), ("\"t-1\"\n", [], "token=t-1"),
      ("Authorization: Bearer t-1\r\n", [], "token=t-1"), ("\u{FEFF}t-1", [], "token=t-1"),
      (response, [], "token=t-1&token_type_hint=access_token"),
      (response, ["--refresh-token"], "token=r-1&token_type_hint=refresh_token"),
      ("r-1", ["--refresh-token"], "token=r-1&token_type_hint=refresh_token"),
    ])
  func forms(input: String, options: [String], body: String) async throws {
    for verb in ["revoke", "introspect"] {
      let program = try await TestProgram.loggedIn()
      program.transport.respond(
        FakeServer.metadataURL,
        .json(FakeServer.metadata(with: #""introspection_endpoint":"https://id.test/introspect""#)))
      program.transport.respond("https://id.test/introspect", .json(#"{"active":true}"#))
      let run = try await program.run(["-p", "work", "token", verb, "-"] + options, input: input)
      #expect(run.status == .status(.success), "\(run)")
      let sent = try #require(program.transport.sent.last)
      #expect(sent.url.hasSuffix(verb))
      #expect("&\(sent.body)&".contains("&\(body)&"), "\(sent.body)")
    }
  }

  private static let response =
    #"{"access_token":"t-1","id_token":"i-1","refresh_token":"r-1","token_type":"Bearer"}"#

  @Test(
    "sends nothing that is not one token",
    arguments: [
      (#"{"access_token":"a"}"#, ["--refresh-token"], "the token response has no refresh token"),
      (#"{"refresh_token":"r","id_token":"i"}"#, [], "the token response has no access token"),
      (#"{"error":"invalid_grant"}"#, [], "the input is an error response, 'invalid_grant'"),
      (#"{"a":1}"#, [], "the input is a JSON object without a token"),
      ("Basic a b", [], "it has spaces or characters that are not visible ASCII"),
      ("t\u{E9}", [], "it has spaces or characters that are not visible ASCII"),
      ("", [], "the input is empty"), ("\n \n", [], "the input is empty"),
      ("Bearer ", [], "the input is empty"), ("a\nb\n", [], "takes one token"),
    ] as [(String, [String], String)])
  func noToken(input: String, options: [String], cause: String) async throws {
    for verb in ["revoke", "introspect"] {
      let program = try await TestProgram.loggedIn()
      let run = try await program.run(["token", verb, "-"] + options, input: input)
      #expect(run.status != .status(.success))
      #expect(run.errors.contains(cause), "\(run)")
      #expect(program.transport.sent.isEmpty)
    }
  }
}
