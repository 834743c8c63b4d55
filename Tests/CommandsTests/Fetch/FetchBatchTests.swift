import CoreTestSupport

@testable import Commands

@Suite("fetch --batch")
struct FetchBatchTests {
  private static let base = "https://api.test/v1"

  private static func program() async throws -> TestProgram {
    let program = try await TestProgram.loggedIn([:])
    for path in ["a", "b"] { program.transport.respond("\(base)/\(path)", .json("1")) }
    return program
  }

  private static func lines(_ run: ProgramRun) throws -> [JSON] {
    try run.output.split(separator: "\n").map { try JSON(parsing: String($0)) }
  }

  @Test("reports a line that is too long, and goes on")
  func longLine() async throws {
    let program = try await Self.program()
    let long = #"{"path":"/a","body":""# + String(repeating: "x", count: 17 << 20) + #""}"#
    let run = try await program.run(
      "fetch", "--batch", "-", input: "{\"path\":\"/a\"}\n\(long)\n{\"path\":\"/b\"}\n")
    #expect(run.status == .status(.usage))
    let lines = try Self.lines(run)
    #expect(Set(lines.map { $0["line"] }) == [1, 2, 3])
    let refused = try #require(lines.first { $0["line"] == 2 })
    #expect(refused["exit"] == 2)
    #expect(
      refused["error"]?["message"]
        == "could not read the request: the line is longer than 16 MiB")
    #expect(lines.count { $0["exit"] == 0 } == 2)
  }

  @Test("writes a body that is not text as base64")
  func bytes() async throws {
    let program = try await Self.program()
    var answer = FakeTransport.Response.status(200)
    answer.body = [0xFF, 0xFE]
    program.transport.respond("\(Self.base)/bytes", answer)
    let run = try await program.run("fetch", "--batch", "-", input: #"{"path":"/bytes"}"#)
    let line = try #require(try Self.lines(run).first)
    #expect(line["bodyBase64"] == "//4=")
    #expect(line["body"] == .null)
  }
}
