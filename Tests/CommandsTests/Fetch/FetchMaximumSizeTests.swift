import HTTP
import JSON
import TestSupport
import Testing

@testable import Commands

@Suite("fetch --max-size")
struct FetchMaximumSizeTests {
  private static func program(
    _ answers: FakeTransport.Response...
  ) async throws -> TestProgram {
    let program = try await TestProgram.loggedIn([:])
    program.transport.respond("https://api.test/v1/me", answers)
    return program
  }

  @Test("--max-size takes a response without a body, whatever length it announces")
  func maximumSizeWithoutBody() async throws {
    for (status, words) in [(304, []), (200, ["-I"])] {
      var answer = FakeTransport.Response.status(status)
      answer.fields = [HTTPField(known: "Content-Length", "12")]
      let run = try await Self.program(answer).run(["fetch", "/me", "--max-size", "2"] + words)
      #expect(run.status == .status(.success), "\(run)")
    }
  }

  @Test("--max-size is of the decoded body, whose length nobody announces")
  func maximumSizeOfEncoded() async throws {
    var answer = FakeTransport.Response.status(200, "1")
    answer.fields = [
      HTTPField(known: "Content-Length", "12"), HTTPField(known: "Content-Encoding", "gzip"),
    ]
    let run = try await Self.program(answer).run("fetch", "/me", "--max-size", "2")
    expect(run, .success, output: "1")
  }

  @Test("--max-size refuses what is announced before a byte of it is written")
  func announcedSize() async throws {
    var announced = FakeTransport.Response.status(200, "1234")
    announced.fields = [HTTPField(known: "Content-Length", "5")]
    let run = try await Self.program(announced).run("fetch", "/me", "--max-size", "4")
    #expect(run.status == .status(.failure))
    #expect(run.output == "")
  }

  @Test("--max-size refuses a larger body, by its announced length and by what arrives")
  func maximumSize() async throws {
    var announced = FakeTransport.Response.status(200, "12345")
    announced.fields = [HTTPField(known: "Content-Length", "5")]
    let program = try await Self.program(announced, .status(200, "12345"), .status(200, "1234"))
    let file = try program.folder.write("old", to: "out")
    for _ in 1...2 {
      let run = try await program.run("fetch", "/me", "--max-size", "4", "-o", file, "--json")
      #expect(run.status == .status(.failure))
      #expect(run.jsonError?["code"] == "response_too_large")
      #expect(try program.folder.text(of: "out") == "old")
    }
    expect(try await program.run("fetch", "/me", "--max-size", "4"), .success, output: "1234")
  }
}
