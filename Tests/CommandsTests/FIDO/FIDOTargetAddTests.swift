import TestSupport

@testable import Commands

@Suite("fido target add")
struct FIDOTargetAddTests {
  /// A program whose user has logged in with a key, and has the target `t1`.
  static func created() async throws -> (TestProgram, FakeFIDOServer) {
    let (program, server) = try await FIDORegisterTests.registered()
    let run = try await program.run("fido", "target", "add", "laptop")
    try #require(run.status == .status(.success), "\(run)")
    return (program, server)
  }

  @Test("prints the identifier of the target")
  func create() async throws {
    let (program, server) = try await FIDORegisterTests.registered()
    let run = try await program.run(
      "fido", "target", "add", "laptop", "--dispatcher", "link", "--target", "here",
      "--account", "bob")
    #expect(run.output == "t1\n")
    #expect(run.errors == "sdkctl: added the dispatch target 'laptop' of 'work'\n")
    #expect(server.targets[0]["username"] == "bob" && server.targets[0]["target"] == "here")
    #expect(server.targets[0]["dispatcher"] == "link")
  }

  @Test("prints no key as JSON")
  func json() async throws {
    let (program, server) = try await FIDORegisterTests.registered()
    let run = try await program.run("fido", "target", "add", "laptop", "--json")
    let device = try #require(server.targets[0]["deviceId"])
    #expect(
      run.json == [
        "profile": "work", "id": "t1", "externalID": "e1", "name": "laptop", "target": device,
        "dispatcher": "firebase-cloud-messaging", "deviceID": device, "here": true,
      ])
  }

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
