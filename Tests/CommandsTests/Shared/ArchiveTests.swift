import CoreTestSupport

@testable import Commands

@Suite("--trace with an HTTP archive")
struct ArchiveTests {
  @Test("has the exchanges of all profiles and all renewals of a command")
  func several() async throws {
    let program = try await TestProgram.loggedIn(["pinPolicy": "report"], lifetime: 40)
    let file = program.folder.file("trace.har")
    try program.store.create(
      ProfileName("other"), settings: ["issuer": "https://other.test"], pins: nil)
    var words = ["doctor", "--online", "--trace", file]
    _ = try await program.run(words)
    var urls = try Self.urls(in: program)
    for host in ["id.test", "other.test"] {
      #expect(urls.contains("https://\(host)/.well-known/openid-configuration"), "\(urls)")
    }
    let tokens = ["u2", "u3"].map {
      FakeTransport.Response.json(
        #"{"access_token":"\#($0)","token_type":"Bearer","expires_in":100,"refresh_token":"r"}"#)
    }
    program.transport.respond(
      FakeServer.tokenURL, tokens + [.json(#"{"error":"invalid_grant"}"#, status: 400)])
    words = ["token", "-o", program.folder.file("token"), "--watch", "--trace", file]
    _ = try await program.run(words)
    urls = try Self.urls(in: program)
    #expect(urls.count { $0 == FakeServer.tokenURL } == 3, "\(urls)")
  }

  private static func urls(in program: TestProgram) throws -> [String] {
    let archive = try JSON(parsing: program.folder.text(of: "trace.har"))
    return archive["log"]?["entries"]?.array?.compactMap { $0["request"]?["url"]?.string } ?? []
  }
}
