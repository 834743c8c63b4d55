import JSON
import TestSupport
import Testing

@testable import Commands

@Suite("dispatch-target status")
struct DispatchTargetStatusTests {
  @Test("waits until the operation has succeeded, and takes the response that began it")
  func succeeds() async throws {
    let (program, server) = try await RegisterFIDOTests.program()
    server.rules.statuses = ["tokenCreated", "clientAuthenticating", "succeeded"]
    let run = try await program.run(
      "dispatch-target", "status", "--session-file", "-", "--json",
      input: #"{"token": "secret", "sessionId": "s1"}"#)
    #expect(run.status == .status(.success), "\(run)")
    #expect(
      run.json == [
        "profile": "work", "status": "succeeded",
        "response": ["status": "succeeded", "userId": "u1"],
      ])
    #expect(server.requests.map(\.body) == Array(repeating: #"{"sessionId":"s1"}"#, count: 3))
    #expect(run.errors.isEmpty)
  }

  @Test("fails if the operation has failed or is not known", arguments: ["failed", "unknown"])
  func fails(status: String) async throws {
    let (program, server) = try await RegisterFIDOTests.program()
    server.rules.statuses = [status]
    let file = try program.folder.write("s1\n", to: "session", mode: 0o600)
    let run = try await program.run("dispatch-target", "status", "--session-file", file)
    #expect(run.status == .status(.refused) && run.output == "\(status)\n", "\(run)")
    let once = try await program.run(
      "dispatch-target", "status", "--session-file", file, "--once")
    #expect(once.status == .status(.success) && once.output == "\(status)\n", "\(once)")
  }

  @Test("does not wait for ever, and asks once if told so")
  func bounded() async throws {
    let (program, server) = try await RegisterFIDOTests.program(["fido.userInteractionTimeout": 10])
    server.rules.statuses = ["tokenCreated"]
    program.terminal.type("s1")
    let run = try await program.run("dispatch-target", "status")
    #expect(run.status == .status(.network) && run.output.isEmpty, "\(run)")
    #expect(server.requests.count == 6)
    _ = try await program.run(
      "dispatch-target", "status", "--once", "--session-file", "-", input: "s1")
    #expect(server.requests.count == 7)
  }
}
