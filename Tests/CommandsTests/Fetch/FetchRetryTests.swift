import CoreTestSupport
import Glibc

@testable import Commands

@Suite("fetch --retry")
struct FetchRetryTests {
  private static func program(_ answers: [FakeTransport.Response]) async throws -> TestProgram {
    let program = try await TestProgram.loggedIn([:])
    program.transport.respond("https://api.test/v1/me", answers)
    return program
  }

  @Test("does not repeat a body that can be read only once, and repeats that of a file")
  func body() async throws {
    let words = ["fetch", "PUT", "/me", "--retry", "1", "-q", "-d"]
    let program = try await Self.program([.status(503, "no"), .status(200, "done")])
    let file = try program.folder.write("content", to: "body")
    expect(try await program.run(words + ["@\(file)"]), .success, output: "done")
    #expect(program.transport.sent.map(\.body) == ["content", "content"])
    let once = try await Self.program([.status(503, "no"), .status(200, "done")])
    let pipe = once.folder.file("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    let writer = try ChildProcess("sh", ["-c", "printf content >\"$0\"", pipe])
    let run = try await once.run(words + ["@\(pipe)"])
    withExtendedLifetime(writer) {}
    #expect(run.status == .status(.serverError))
    #expect(run.output == "no")
    #expect(once.transport.sent.map(\.body) == ["content"])
  }

  @Test("does not begin again on a stream that has got bytes, or the head of a response")
  func stream() throws {
    let response = HTTPResponse(status: 200, url: try HTTPURL("https://api.test/"))
    for (includesHead, bytes, mayRestart) in [
      (false, "", true), (false, "broken", false), (true, "", false),
    ] {
      var options = BodyWriter.Options()
      options.includesHead = includesHead
      let stream = open("/dev/null", O_WRONLY)
      defer { close(stream) }
      let writer = BodyWriter(.output(Output(descriptor: stream), isTerminal: false), options)
      #expect(writer.begin(response))
      if !bytes.isEmpty { #expect(Array(bytes.utf8).withUnsafeBytes { writer.write($0) }) }
      #expect(writer.restart() == mayRestart)
    }
  }

  @Test("writes a file from the start again if the body broke off")
  func restart() async throws {
    let program = try await Self.program([])
    let path = program.folder.file("out")
    let file = BodyDestination.file(try StagedFile(path, .named(newMode: 0o600)), replaces: true)
    let writer = BodyWriter(file, BodyWriter.Options())
    let response = HTTPResponse(status: 200, url: try HTTPURL("https://api.test/"))
    #expect(writer.begin(response))
    #expect(Array("broken".utf8).withUnsafeBytes { writer.write($0) })
    #expect(writer.restart())
    #expect(writer.begin(response))
    #expect(Array("all".utf8).withUnsafeBytes { writer.write($0) })
    _ = try writer.finish()
    #expect(try program.folder.text(of: "out") == "all")
    #expect(writer.count == 3)
  }
}
