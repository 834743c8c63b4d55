import CoreTestSupport

@testable import Commands

@Suite("account create", .timeLimit(.minutes(10)))
struct AccountCreateTests {
  @Test("logs the new user in if the server announces prompt=create")
  func prompt() async throws {
    let program = try TestProgram(["accountURL": "https://id.test/join"])
    try await program.register()
    program.transport.respond(
      FakeServer.metadataURL,
      .json(FakeServer.metadata(with: #""prompt_values_supported":["create"]"#)))
    let run = try await program.run("account", "create", "--no-browser", "--timeout", "1")
    #expect(run.status == .status(.network))
    #expect(program.asked("prompt") == "create")
  }
}
