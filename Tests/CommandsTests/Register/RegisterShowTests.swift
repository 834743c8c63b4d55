import CoreTestSupport

@testable import Commands

@Suite("register show")
struct RegisterShowTests {
  @Test("says what helps if the server no longer accepts the management token")
  func refused() async throws {
    let program = try await ManagedClient.program(.json(#"{"error":"invalid_token"}"#, status: 401))
    let run = try await program.run("register", "show", "--json")
    #expect(run.status == .status(.refused))
    #expect(run.output == "")
    #expect(run.jsonError?["hint"] == "sdkctl -p work register --replace")
  }
}
