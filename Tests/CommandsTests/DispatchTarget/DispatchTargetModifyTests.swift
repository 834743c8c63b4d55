import JSON
import TestSupport
import Testing

@testable import Commands

@Suite("dispatch-target modify")
struct DispatchTargetModifyTests {
  @Test("changes the target at the server and here")
  func modify() async throws {
    let (program, server) = try await DispatchTargetCreateTests.created()
    let run = try await program.run("dispatch-target", "modify", "t1", "--name", "desk")
    #expect(run.output == "t1\n")
    #expect(run.errors == "sdkctl: changed the dispatch target 'desk' of 'work'\n")
    #expect(server.requests.last?.method == "PATCH")
    let list = try await program.run("dispatch-target", "list", "--local", "--json")
    #expect(list.json?.array?.map { $0["name"] } == ["desk"])
  }

  @Test("needs something to change, and the keys")
  func wrong() async throws {
    let (program, server) = try await DispatchTargetCreateTests.created()
    let asked = server.requests.count
    let nothing = try await program.run("dispatch-target", "modify", "t1; rm -rf ~")
    expect(
      nothing, .usage,
      errors: """
        sdkctl: error: could not change the dispatch target: nothing to change is given
        sdkctl: hint: sdkctl dispatch-target modify 't1; rm -rf ~' --name NAME

        """)
    let run = try await program.run("dispatch-target", "modify", "t2", "--name", "x")
    expect(
      run, .usage,
      errors: "sdkctl: error: could not change the dispatch target: the keys of the dispatch "
        + "target 't2' are not here\n")
    #expect(server.requests.count == asked)
  }
}
