import JSON
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("profile metadata")
struct ProfileMetadataTests {
  @Test("prints the document as the server sent it, from the cache unless --fresh")
  func prints() async throws {
    let program = try TestProgram(["endpoints.token": "https://id.test/other"])
    let first = try await program.run("profile", "metadata")
    #expect(first.status == .status(.success), "\(first)")
    #expect(first.json?["issuer"] == "https://id.test")
    #expect(first.json?["token_endpoint"] != "https://id.test/other")
    _ = try await program.run("profile", "metadata")
    #expect(program.transport.sent.count == 1)
    _ = try await program.run("profile", "metadata", "--fresh")
    #expect(program.transport.sent.count == 2)
  }

  @Test("with --field prints one member")
  func field() async throws {
    let run = try await TestProgram([:]).run("profile", "metadata", "--field", "issuer")
    expect(run, .success, output: "https://id.test\n")
  }

  @Test("--identity-providers lists them, with ID and name")
  func identityProviders() async throws {
    let program = try TestProgram(["endpoints.clientValidation": "https://id.test/validate"])
    try await program.register()
    program.transport.respond(
      "https://id.test/validate",
      .json(#"{"client_id":"app","identity_providers":[{"id":"a","name":"A B"}]}"#))
    expect(
      try await program.run("profile", "metadata", "--identity-providers"), .success,
      output: "a\tA B\n")
    let run = try await program.run("profile", "metadata", "--identity-providers", "--json")
    #expect(run.json == [["id": "a", "name": "A B"]])
  }

  @Test("fails if the server does not have the document")
  func missing() async throws {
    let program = try TestProgram(["issuer": "https://other.test"])
    program.transport.respond(
      "https://other.test/.well-known/openid-configuration", .status(404))
    program.transport.respond(
      "https://other.test/.well-known/oauth-authorization-server", .status(404))
    let run = try await program.run("profile", "metadata")
    #expect(run.status != .status(.success))
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("sdkctl: error: could not read the metadata of "), "\(run)")
  }
}
