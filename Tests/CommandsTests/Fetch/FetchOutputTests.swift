import CoreTestSupport

@testable import Commands

@Suite("Output of fetch")
struct FetchOutputTests {
  @Test(
    "--range takes ranges of bytes only",
    arguments: [
      ("0-0", true), ("0-499", true), ("500-", true), ("-500", true), ("0-4,7-9,-1", true),
      ("5-2", false), ("-", false), ("", false), ("-0", false), ("500", false), ("0-4,", false),
      ("a-b", false), ("0 - 4", false), ("0-4-5", false), ("bytes=0-4", false), ("+1-2", false),
      ("0-99999999999999999999", false), ("1-2\r\nX: y", false),
    ])
  func ranges(text: String, isValid: Bool) async throws {
    let result = try await TestProgram([:]).run(
      "fetch", "--unauth", "/x", "--dry-run", "--range=\(text)")
    #expect(result.status == .status(isValid ? .success : .usage))
    #expect(result.output.contains("Range: bytes=\(text)\n") == isValid)
  }

  @Test("--etag-save keeps the bytes of an ETag that is not UTF-8")
  func foreignETag() async throws {
    var answer = FakeTransport.Response.status(200, "new")
    let tag = Array("\"caf".utf8) + [0xE9, 0x22]
    answer.fields = [try HTTPField("ETag", bytes: tag)]
    let program = try await TestProgram.loggedIn([:])
    program.transport.respond("https://api.test/v1/me", [answer, .status(304)])
    let file = program.folder.file("tag")
    let words = ["fetch", "/me", "--etag-save", file, "--etag-compare", file]
    expect(try await program.run(words), .success, output: "new")
    #expect(try FileReader.read(file, limit: 100) == tag + [0x0A])
    expect(try await program.run(words), .success)
    #expect(program.transport.sent.last?.fields.first("If-None-Match")?.valueBytes == tag)
  }

  @Test(
    "progress shows size, rate and time left",
    arguments: [
      (0, nil, 1, "0 B  0 B/s"),
      (3 << 20, 12 << 20, 2, "3.0 MiB of 12.0 MiB  25%  1.5 MiB/s  0:06 left"),
      (1536, nil, 3, "1.5 KiB  512 B/s"),
      (1 << 30, 1 << 42, 1, "1.0 GiB of 4096.0 GiB  0%  1.0 GiB/s  1:08:15 left"),
    ] as [(Int64, Int64?, Int64, String)])
  func progress(count: Int64, total: Int64?, seconds: Int64, line: String) {
    #expect(Progress.line(count, of: total, after: .seconds(seconds)) == line)
  }
}
