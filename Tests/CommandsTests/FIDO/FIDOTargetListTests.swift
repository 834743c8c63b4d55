import TestSupport

@testable import Commands

@Suite("fido target list")
struct FIDOTargetListTests {
  @Test("prints what the server has, and what is here")
  func list() async throws {
    let (program, server) = try await FIDOTargetAddTests.created()
    let line = "t1\tlaptop\tfirebase-cloud-messaging\there\n"
    #expect(try await program.run("fido", "target", "list").output == line)
    let asked = server.requests.count
    #expect(try await program.run("fido", "target", "list", "--local").output == line)
    #expect(server.requests.count == asked)
    let run = try await program.run("fido", "target", "list", "--json")
    #expect(run.json?.array?.map { $0["id"] } == ["t1"])
    #expect(run.json?.array?.map { $0["here"] } == [true])
  }

  @Test("shows names of a server without control characters")
  func hostile() async throws {
    let (program, server) = try await FIDORegisterTests.registered()
    server.rules.answers["/token/dispatch/targets/?username=alice"] = .other(
      200, "application/json",
      #"{"dispatchTargets": [{"id": "t2", "name": "a\u001b[31m\tb", "dispatcher": null}]}"#)
    let run = try await program.run("fido", "target", "list")
    #expect(run.output.split(separator: "\t").count == 4, "\(run)")
    #expect(!run.output.contains("\u{1b}") && run.output.hasSuffix("\t-\t-\n"))
  }
}
