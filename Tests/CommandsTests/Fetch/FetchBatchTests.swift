import HTTP
import JSON
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("fetch --batch")
struct FetchBatchTests {
  private static let base = "https://api.test/v1"

  private static func program() async throws -> TestProgram {
    let program = try await TestProgram.loggedIn([:])
    for path in ["a", "b", "c"] {
      program.transport.respond("\(base)/\(path)", .json(#""\#(path)""#))
    }
    program.transport.respond("\(base)/missing", .status(404, "nothing"))
    program.transport.respond("\(base)/broken", .status(503))
    program.transport.respond("\(base)/bytes", .status(200, "\u{0}"))
    return program
  }

  private static func lines(_ run: ProgramRun) throws -> [JSON] {
    try run.output.split(separator: "\n").map { try JSON(parsing: String($0)) }
  }

  @Test("writes a line for each request, with its id and number")
  func outcomes() async throws {
    let program = try await Self.program()
    let run = try await program.run(
      "fetch", "--batch", "-", "--parallel", "1",
      input: """
        {"path":"/a","id":7}
        \t
        {"path":"/b","id":{"deep":[1]}}
        {"path":"/c"}
        """)
    #expect(run.status == .status(.success))
    #expect(run.errors == "")
    let lines = try Self.lines(run)
    #expect(lines.map { $0["line"] } == [1, 3, 4])
    #expect(lines.map { $0["id"] } == [7, ["deep": [1]], .null])
    #expect(lines.map { $0["body"] } == ["a", "b", "c"])
    #expect(lines.allSatisfy { $0["exit"] == 0 && $0["status"] == 200 && $0["error"] == .null })
    #expect(lines[0]["url"] == "https://api.test/v1/a")
    #expect(lines[0]["fields"]?["content-type"] == ["application/json"])
    #expect(lines[0]["seconds"]?.double.map { $0 >= 0 && $0 < 60 } == true)
    #expect(program.transport.sent.allSatisfy { $0.fields["Authorization"] == "Bearer u1" })
  }

  @Test("a note of a repetition names the request, and a refusal the scope that is missing")
  func notes() async throws {
    let program = try await Self.program()
    program.transport.respond("\(Self.base)/a", [.status(503), .status(200)])
    let run = try await program.run("fetch", "--batch", "-", "--retry", "1", input: "\n/a\n")
    #expect(run.errors.contains("request 2: the server returned 503; trying again"), "\(run)")
    program.transport.respond("\(Self.base)/b", FetchTests.withoutScope)
    let refused = try await program.run("fetch", "--batch", "-", input: "/b\n")
    #expect(refused.output.contains("does not have the scope 'write'"), "\(refused)")
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

  @Test("sends what a line says")
  func requests() async throws {
    let program = try await Self.program()
    try program.folder.write("from a file", to: "body")
    try await program.store("d1", in: .anonymous)
    program.transport.respond("\(Self.base)/a?b=x&a=3", .json("1"))
    let rows: [(line: String, sent: String, body: String, field: (String, String)?)] = [
      (#"{"path":"/a","method":"put","body":"x"}"#, "PUT \(Self.base)/a", "x", nil),
      (
        #"{"path":"/a","body":{"n":3}}"#, "POST \(Self.base)/a", #"{"n":3}"#,
        ("Content-Type", "application/json")
      ),
      (#"{"path":"/a","bodyBase64":"eHk="}"#, "POST \(Self.base)/a", "xy", nil),
      (
        #"{"path":"/a","bodyFile":"\#(program.folder.file("body"))"}"#, "POST \(Self.base)/a",
        "from a file", nil
      ),
      (
        #"{"path":"/a","method":"POST","parameters":{"k":"v"},"parametersEncoding":"formURL"}"#,
        "POST \(Self.base)/a", "k=v", ("Content-Type", "application/x-www-form-urlencoded")
      ),
      (
        #"{"path":"/a","method":"POST","parameters":{"a":3,"b":"3","c":[true]}}"#,
        "POST \(Self.base)/a", #"{"a":3,"b":"3","c":[true]}"#, ("Content-Type", "application/json")
      ),
      (
        #"{"path":"/a","parameters":{"a":3,"b":"x"}}"#, "GET \(Self.base)/a?b=x&a=3", "", nil
      ),
      (
        #"{"path":"/a","headers":{"X-A":"1","X-B":["2"]}}"#, "GET \(Self.base)/a", "",
        ("X-B", "2")
      ),
      (#"{"path":"/a","headers":{"x-all":"own"}}"#, "GET \(Self.base)/a", "", ("X-All", "own")),
      (#"{"path":"/a","access":"anonymous"}"#, "GET \(Self.base)/a", "", ("X-All", "yes")),
    ]
    for row in rows {
      let run = try await program.run("fetch", "--batch", "-", "-H", "X-All: yes", input: row.line)
      #expect(run.status == .status(.success), "\(row.line) \(run)")
      let sent = try #require(program.transport.sent.last)
      #expect(sent.line == row.sent)
      #expect(sent.body == row.body)
      if let (name, value) = row.field { #expect(sent.fields.values(of: name) == [value]) }
    }
    #expect(program.transport.sent.last?.fields["Authorization"] == "Bearer d1")
  }

  @Test("sends the parts of a form, with parameters as its first fields")
  func form() async throws {
    let program = try await Self.program()
    let file = try program.folder.write("content", to: "report.txt")
    let run = try await program.run(
      "fetch", "--batch", "-",
      input: """
        {"path":"/a","parameters":{"p":1},"multipart":[{"name":"title","value":"T"},\
        {"name":"file","file":"\(file)"},{"name":"other","file":"\(file)","type":"a/b","filename":"n"}]}
        """)
    #expect(run.status == .status(.success), "\(run)")
    let sent = try #require(program.transport.sent.last)
    #expect(sent.line == "POST \(Self.base)/a")
    for part in [
      "name=\"p\"\r\n\r\n1\r\n", "name=\"title\"\r\n\r\nT\r\n",
      "name=\"file\"; filename=\"report.txt\"\r\nContent-Type: text/plain\r\n\r\ncontent\r\n",
      "name=\"other\"; filename=\"n\"\r\nContent-Type: a/b\r\n\r\ncontent\r\n",
    ] { #expect(sent.body.contains(part), "\(part)") }
  }

  @Test("takes `-` in a line for a file of that name: standard input has the lines")
  func dash() async throws {
    let program = try await Self.program()
    for line in [
      #"{"path":"/a","multipart":[{"name":"f","file":"-"}]}"#,
      #"{"path":"/a","method":"POST","bodyFile":"-"}"#,
    ] {
      let run = try await program.run(
        "fetch", "--batch", "-", input: "\(line)\n{\"path\":\"/a\"}\n")
      #expect(run.output.contains("./-: no such file"), "\(run)")
      #expect(run.output.split(separator: "\n").count == 2)
    }
  }

  @Test("repeats each request after transient failures")
  func retries() async throws {
    let program = try await Self.program()
    program.transport.respond(
      "\(Self.base)/flaky", [.status(503), .failure(.connection, "broken"), .status(200, "done")])
    let run = try await program.run(
      "fetch", "--batch", "-", "--retry", "2", "-q",
      input: "{\"path\":\"/flaky\"}\n")
    let lines = try Self.lines(run)
    #expect(lines.map { $0["exit"] } == [0])
    #expect(lines.map { $0["body"] } == ["done"])
  }

  @Test(
    "refuses a line that is not a request, and sends the others",
    arguments: [
      ("{", "could not read the request: "), ("[]", "the line is not a JSON object"),
      (#"{"id":1}"#, "the member 'path' is missing"), (#"{"path":""}"#, "'path' is missing"),
      (#"{"path":"/a","url":"x"}"#, "the member 'url' is unknown"),
      (#"{"path":"/a","method":3}"#, "the member 'method' is not a string"),
      (#"{"path":"/a","access":"root"}"#, "is not user, implicit, anonymous, unauth"),
      (#"{"path":"/a","headers":{"a":1}}"#, "'headers' is not an object of strings"),
      (#"{"path":"/a","parameters":[]}"#, "'parameters' is not an object"),
      (#"{"path":"/a","body":"x","bodyFile":"y"}"#, "cannot be used together"),
      (#"{"path":"/a","bodyBase64":"?"}"#, "the member 'bodyBase64' is not base64"),
      (#"{"path":"/a","multipart":{}}"#, "'multipart' is not an array of objects"),
      (#"{"path":"/a","multipart":[{"value":"x"}]}"#, "a part of 'multipart' has no name"),
      (#"{"path":"/a","multipart":[{"name":"","value":"x"}]}"#, "'multipart' has no name"),
      (#"{"path":"/a","multipart":[{"name":"x"}]}"#, "needs either 'value' or 'file'"),
      (
        #"{"path":"/a","multipart":[{"name":"x","value":"y","file":"z"}]}"#,
        "needs either 'value' or 'file'"
      ),
      (
        #"{"path":"/a","multipart":[{"name":"x","data":"y"}]}"#,
        "the member 'data' of 'multipart' is unknown"
      ),
      (#"{"path":"/a","timeout":0}"#, "the member 'timeout' is not a number of seconds above 0"),
      (#"{"path":"/a","timeout":1e9}"#, "'timeout' is not a number of seconds above 0"),
      (#"{"path":"/a","bodyFile":"/nowhere/at/all"}"#, "could not read the body"),
    ])
  func malformed(line: String, message: String) async throws {
    let program = try await Self.program()
    let run = try await program.run("fetch", "--batch", "-", input: line + "\n{\"path\":\"/b\"}\n")
    let lines = try Self.lines(run).sorted { ($0["line"]?.int ?? 0) < ($1["line"]?.int ?? 0) }
    try #require(lines.count == 2)
    #expect(lines[0]["exit"] == 2)
    #expect(lines[0]["error"]?["message"]?.string?.contains(message) == true)
    #expect(lines[1]["exit"] == 0)
    #expect(run.status == .status(.usage))
    #expect(program.transport.lines == ["GET \(Self.base)/b"])
  }

  @Test("ends with the exit status that the failures share, or with 1")
  func exits() async throws {
    let program = try await Self.program()
    let missing = #"{"path":"/missing"}"#
    let one = try await program.run(
      "fetch", "--batch", "-", input: "\(missing)\n{\"path\":\"/a\"}\n\(missing)\n")
    #expect(one.status == .status(.clientError))
    #expect(
      one.errors == "sdkctl: error: could not complete the batch: 2 of 3 requests failed\n")
    let failed = try Self.lines(one).filter { $0["exit"] == 12 }
    #expect(failed.map { $0["body"] } == ["nothing", "nothing"])
    #expect(failed.map { $0["error"]?["code"] } == ["http_status", "http_status"])
    let both = try await program.run(
      "fetch", "--batch", "-", input: "\(missing)\n{\"path\":\"/broken\"}\n")
    #expect(both.status == .status(.failure))
    let allowed = try await program.run("fetch", "--no-fail", "--batch", "-", input: missing)
    #expect(allowed.status == .status(.success))
    #expect(try Self.lines(allowed).map { $0["status"] } == [404])
  }

  @Test("reports errors of requests with their numbers, and goes on")
  func errors() async throws {
    let program = try await Self.program()
    let run = try await program.run(
      "fetch", "--batch", "-", "--parallel", "1",
      input: """
        {"path":"/a","method":"TRACE"}
        {"path":"/a","headers":{"Authorization":"x"}}
        {"path":"https://other.test/"}
        {"path":"/b"}
        """)
    let lines = try Self.lines(run)
    #expect(lines.map { $0["exit"] } == [2, 2, 10, 0])
    #expect(lines.map { $0["error"]?["number"] } == [10_010, 10_019, 10_015, nil])
    #expect(program.transport.lines == ["GET \(Self.base)/b"])
  }

  @Test("writes bodies to files, and leaves a file alone after an HTTP error")
  func outputs() async throws {
    let program = try await Self.program()
    let old = try program.folder.write("old", to: "old")
    let run = try await program.run(
      "fetch", "--batch", "-",
      input: """
        {"path":"/a","id":1,"output":"\(program.folder.file("new"))"}
        {"path":"/missing","id":2,"output":"\(old)"}
        {"path":"/b","id":3,"output":"\(program.folder.file("no/such"))"}
        """)
    let lines = try Self.lines(run).sorted { ($0["id"]?.int ?? 0) < ($1["id"]?.int ?? 0) }
    #expect(lines.map { $0["exit"] } == [0, 12, 1])
    #expect(try program.folder.text(of: "new") == #""a""#)
    #expect(lines[0]["output"] == .string(program.folder.file("new")))
    #expect(lines[0]["body"] == .null)
    #expect(try program.folder.text(of: "old") == "old")
    #expect(lines[1]["body"] == "nothing")
    #expect(lines[2]["error"]?["code"] == "output_failed")
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

  @Test("--fail-early starts nothing after a failure")
  func failEarly() async throws {
    let program = try await Self.program()
    let run = try await program.run(
      "fetch", "--batch", "-", "--parallel", "1", "--fail-early",
      input: """
        {"path":"/a"}
        {"path":"/missing"}
        {"path":"/b"}
        """)
    #expect(try Self.lines(run).map { $0["exit"] } == [0, 12])
    #expect(run.status == .status(.clientError))
    #expect(program.transport.lines == ["GET \(Self.base)/a", "GET \(Self.base)/missing"])
  }

  @Test(
    "is not combined with the operands of a single request",
    arguments: [["/a"], ["GET"], ["GET", "/a"]])
  func usage(words: [String]) async throws {
    let program = try await Self.program()
    let run = try await program.run(["fetch", "--batch", "-"] + words)
    #expect(run.status == .status(.usage))
    #expect(program.transport.sent == [])
  }
}
