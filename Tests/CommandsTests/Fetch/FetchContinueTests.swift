import CoreTestSupport

@testable import Commands

@Suite("fetch --continue")
struct FetchContinueTests {
  private static func answer(
    _ status: Int, _ body: String, _ fields: [(String, String)] = []
  ) -> FakeTransport.Response {
    var answer = FakeTransport.Response.status(status, body)
    for (name, value) in fields {
      if let field = try? HTTPField(name, value) { answer.fields.append(field) }
    }
    return answer
  }

  private static let etag = ("ETag", #""v1""#)

  private static func program(
    part: String?, note: String?, _ answers: [FakeTransport.Response]
  ) async throws -> TestProgram {
    let program = try await TestProgram.loggedIn([:])
    program.transport.respond("https://api.test/v1/f", answers)
    if let part { try program.folder.write(part, to: "f.part") }
    if let note { try program.folder.write(note + "\n", to: "f.part.state") }
    return program
  }

  private static func run(_ program: TestProgram) async throws -> ProgramRun {
    try await program.run("fetch", "/f", "--continue", "-o", program.folder.file("f"))
  }

  private static func names(_ program: TestProgram) -> [String] {
    program.folder.names.filter { $0.hasPrefix("f") }.sorted()
  }

  @Test(
    "starts again, once, if the server sends another part than the one requested",
    arguments: [
      "bytes 0-5/6", "bytes 4-5/6", "bytes x", "bytes */6", "", "bytes 3-2/6", "bytes 3-6/6",
      "bytes 3-4/6", "bytes 3-/6", "bytes 3/6", "bytes -3-5/6", "bytes +3-5/6", "items 3-5/6",
    ])
  func mismatch(range: String) async throws {
    let wrong = Self.answer(206, "def", [("Content-Range", range)])
    let program = try await Self.program(
      part: "abc", note: #""v1""#, [wrong, Self.answer(200, "new", [Self.etag])])
    let run = try await Self.run(program)
    #expect(run.status == .status(.success))
    #expect(run.errors.contains("the server sent another part than requested; starting again"))
    #expect(program.transport.sent.map { $0.fields["Range"] } == ["bytes=3-", nil])
    #expect(try program.folder.text(of: "f") == "new")
    #expect(Self.names(program) == ["f"])
    let never = try await Self.program(part: "abc", note: #""v1""#, [wrong])
    let failed = try await Self.run(never)
    #expect(failed.status == .status(.failure))
    #expect(failed.errors.contains("the server sent a part, and none was requested"))
    #expect(never.transport.sent.count == 2)
  }

  @Test(
    "starts again if the server sends a part of another version, or none of a shorter one",
    arguments: [
      answer(206, "def", [("Content-Range", "bytes 3-5/6"), ("ETag", #""v2""#)]),
      answer(206, "def", [("Content-Range", "bytes 3-5/6"), ("ETag", #"W/"v1""#)]),
      answer(416, "", [("Content-Range", "bytes */2")]), answer(416, "no"),
    ])
  func another(response: FakeTransport.Response) async throws {
    let program = try await Self.program(
      part: "abc", note: #""v1""#, [response, Self.answer(200, "new", [Self.etag])])
    let run = try await Self.run(program)
    #expect(run.status == .status(.success))
    #expect(run.errors.contains("starting again"))
    #expect(program.transport.sent.map { $0.fields["Range"] } == ["bytes=3-", nil])
    #expect(try program.folder.text(of: "f") == "new")
    #expect(Self.names(program) == ["f"])
  }

  @Test(
    "takes strong validators only",
    arguments: [
      ([("ETag", #""a""#)], #""a""#), ([("ETag", #"W/"a""#)], nil), ([("ETag", "a")], nil),
      (
        [
          ("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"),
          ("Date", "Sun, 06 Nov 1994 08:49:38 GMT"),
        ], "Sun, 06 Nov 1994 08:49:37 GMT"
      ),
      (
        [
          ("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"),
          ("Date", "Sun, 06 Nov 1994 08:49:37 GMT"),
        ], nil
      ),
      ([("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")], nil),
      ([("ETag", #""a""#), ("Content-Encoding", "gzip")], nil), ([], nil),
    ] as [([(String, String)], String?)])
  func validators(fields: [(String, String)], validator: String?) throws {
    var response = HTTPResponse(status: 200, url: try HTTPURL("https://api.test/"))
    for (name, value) in fields { response.fields.append(try HTTPField(name, value)) }
    #expect(Resumption.validator(of: response) == validator)
  }
}
