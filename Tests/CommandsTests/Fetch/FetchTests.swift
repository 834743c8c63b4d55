import CoreTestSupport

@testable import Commands

@Suite("fetch")
struct FetchTests {
  @Test("-H 'NAME:' leaves out a field of the transport, and the type of parameters")
  func omittedHeaders() async throws {
    let program = try await TestProgram.loggedIn([:])
    program.transport.respond("https://api.test/v1/me", .json(#"{"id":7}"#))
    let words = ["fetch", "POST", "/me", "--param", "a=1", "-H", "Content-Type:", "-H", "Accept:"]
    expect(try await program.run(words + ["-H", "X-A;"]), .success, output: #"{"id":7}"#)
    let sent = try #require(program.transport.sent.last)
    #expect(sent.omittedFields == ["Content-Type", "Accept"])
    #expect(sent.fields["Content-Type"] == nil)
    #expect(sent.fields["X-A"] == "")
    for name in ["Host", "User-Agent", "a b"] {
      let run = try await program.run("fetch", "/me", "-H", "\(name):")
      #expect(run.status == .status(.usage))
    }
  }
}
