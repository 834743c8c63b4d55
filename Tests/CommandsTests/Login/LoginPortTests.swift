import CoreTestSupport

@testable import Commands

@Suite("login --callback-port")
struct LoginPortTests {
  @Test(
    "notes a port that the client is not registered for",
    arguments: [("8976", "8976", false), ("8976", "8977", true), (nil, "8978", false)])
  func port(registered: String?, chosen: String, isNoted: Bool) async throws {
    let program = try await LoginTests.program(
      redirectURI: registered.map { "http://127.0.0.1:\($0)/callback" })
    // So that the login ends before a browser is waited for.
    program.refuse("id.test", with: TransportError(.pinMismatch, "no key", host: "id.test"))
    let run = try await program.run("login", "--callback-port", chosen)
    #expect(run.status == .status(.pin), "\(run)")
    #expect(run.errors.contains("the client is registered for port") == isNoted, "\(run)")
  }
}
