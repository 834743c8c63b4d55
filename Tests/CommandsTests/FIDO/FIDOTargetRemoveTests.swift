import CoreTestSupport

@testable import Commands

@Suite("fido target remove")
struct FIDOTargetRemoveTests {
  @Test("deletes the target at the server and here")
  func delete() async throws {
    let (program, server) = try await FIDOTargetAddTests.created()
    expect(
      try await program.run("fido", "target", "remove", "t1", "--yes"), .success,
      errors: "sdkctl: removed the dispatch target t1 of 'work'\n")
    #expect(server.requests.last?.method == "DELETE")
    #expect(try await program.run("fido", "target", "list", "--local").output.isEmpty)
  }

  @Test("deletes the keys here only, if that is wanted, and asks before")
  func local() async throws {
    let (program, server) = try await FIDOTargetAddTests.created()
    let asked = server.requests.count
    let unattended = try await program.run("fido", "target", "remove", "t1", "--local")
    #expect(unattended.status == .status(.usage))
    let run = try await program.run(
      "fido", "target", "remove", "t1", "--local", "--yes", "--json")
    #expect(run.json == ["profile": "work", "id": "t1"])
    #expect(server.requests.count == asked)
    #expect(try await program.run("fido", "target", "list", "--local").output.isEmpty)
  }
}
