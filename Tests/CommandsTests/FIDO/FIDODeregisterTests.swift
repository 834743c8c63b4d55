import CoreTestSupport

@testable import Commands

@Suite("fido deregister")
struct FIDODeregisterTests {
  @Test("deletes the keys at the server and here")
  func deleted() async throws {
    let (program, server) = try await FIDORegisterTests.registered()
    _ = try await program.run("fido", "login", "--passcode-file", "-", input: "271828")
    expect(
      try await program.run("fido", "deregister", "--yes"), .success,
      errors: "sdkctl: deleted the FIDO key of alice (FFFF#0001) of 'work'\n")
    #expect(server.keys.isEmpty)
    let sent = try #require(server.requests.last { $0.url.contains("request/deregistration") })
    #expect(sent.fields["Cookie"] == "sid=s1")
    let list = try await program.run("token", "list", "--json")
    #expect(list.json?.array?.map { $0["slot"]?.string } == ["user"])
  }

  @Test("deletes the keys here only, and prints them as JSON")
  func local() async throws {
    let (program, server) = try await FIDORegisterTests.registered()
    let run = try await program.run("fido", "deregister", "--local", "--yes", "--json")
    #expect(run.status == .status(.success), "\(run)")
    #expect(run.json?.array?.map { $0["username"]?.string } == ["alice"])
    #expect(server.keys.count == 1)
  }

  @Test("asks, and needs --yes without a terminal")
  func unattended() async throws {
    let (program, server) = try await FIDORegisterTests.registered()
    #expect(try await program.run("fido", "deregister").status == .status(.usage))
    #expect(server.keys.count == 1)
  }
}
