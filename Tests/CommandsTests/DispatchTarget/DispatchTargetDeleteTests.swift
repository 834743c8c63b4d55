import JSON
import TestSupport
import Testing

@testable import Commands

@Suite("dispatch-target delete")
struct DispatchTargetDeleteTests {
  @Test("deletes the target at the server and here")
  func delete() async throws {
    let (program, server) = try await DispatchTargetCreateTests.created()
    expect(
      try await program.run("dispatch-target", "delete", "t1", "--yes"), .success,
      errors: "sdkctl: deleted the dispatch target t1 of 'work'\n")
    #expect(server.requests.last?.method == "DELETE")
    #expect(try await program.run("dispatch-target", "list", "--local").output.isEmpty)
  }

  @Test("deletes the keys here only, if that is wanted, and asks before")
  func local() async throws {
    let (program, server) = try await DispatchTargetCreateTests.created()
    let asked = server.requests.count
    let unattended = try await program.run("dispatch-target", "delete", "t1", "--local")
    #expect(unattended.status == .status(.usage))
    let run = try await program.run(
      "dispatch-target", "delete", "t1", "--local", "--yes", "--json")
    #expect(run.json == ["profile": "work", "id": "t1"])
    #expect(server.requests.count == asked)
    #expect(try await program.run("dispatch-target", "list", "--local").output.isEmpty)
  }
}
