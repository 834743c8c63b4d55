import TestSupport

@testable import Commands

@Suite("fido target add")
struct FIDOTargetAddTests {
  @Test("tells what the server refuses")
  func refused() async throws {
    let (program, server) = try await FIDORegisterTests.registered()
    for (status, code) in [(401, ExitCode.authenticationRequired), (422, .refused)] {
      server.rules.answers["/token/dispatch/targets/"] = .status(status)
      let run = try await program.run("fido", "target", "add", "laptop")
      #expect(run.status == .status(code), "\(run)")
      #expect(run.errors.contains("could not add the dispatch target: fido.test returned"))
    }
    let list = try await program.run("fido", "target", "list", "--local")
    #expect(list.output.isEmpty)
  }
}
