import HTTP
import JSON
import POSIX
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("Output of fetch")
struct FetchOutputTests {
  private static func program(
    _ answers: FakeTransport.Response..., path: String = "me"
  ) async throws -> TestProgram {
    let program = try await TestProgram.loggedIn([:])
    program.transport.respond("https://api.test/v1/\(path)", answers)
    return program
  }

  @Test("--json is a document with status, fields and the body as JSON, text or base64")
  func envelope() async throws {
    let program = try await Self.program(
      .json(#"{"id":7}"#), .other(200, "text/plain", "hello"), .status(404, "no"))
    let document = try #require(try await program.run("fetch", "/me", "--json").json)
    #expect(document["status"] == 200)
    #expect(document["body"] == ["id": 7])
    #expect(document["fields"] == ["content-type": ["application/json"]])
    #expect(document["size"] == 8)
    #expect(document["url"] == "https://api.test/v1/me")
    #expect(document["seconds"]?["total"]?.double != nil)
    #expect(try await program.run("fetch", "/me", "--json").json?["body"] == "hello")
    let refused = try await program.run("fetch", "/me", "--json")
    #expect(refused.status == .status(.clientError))
    #expect(refused.json?["body"] == "no")
    #expect(refused.jsonError?["code"] == "http_status")
    #expect(refused.jsonError?["domain"] == "transport")
    #expect(refused.jsonError?["number"] == 404)
  }

  @Test("--json with a file names the file")
  func envelopeOfFile() async throws {
    let program = try await Self.program(.json("1"))
    let file = program.folder.file("out")
    let document = try await program.run("fetch", "/me", "--json", "-o", file).json
    #expect(document?["output"] == .string(file))
    #expect(document?["body"] == nil)
    #expect(try program.folder.text(of: "out") == "1")
  }

  @Test(
    "--range takes ranges of bytes only",
    arguments: [
      ("0-0", true), ("0-499", true), ("500-", true), ("-500", true), ("0-4,7-9,-1", true),
      ("5-2", false), ("-", false), ("", false), ("-0", false), ("500", false), ("0-4,", false),
      ("a-b", false), ("0 - 4", false), ("0-4-5", false), ("bytes=0-4", false), ("+1-2", false),
      ("0-99999999999999999999", false), ("1-2\r\nX: y", false),
    ])
  func ranges(text: String, isValid: Bool) async throws {
    let program = try await Self.program(.status(200))
    let result = try await program.run("fetch", "--unauth", "/x", "--dry-run", "--range=\(text)")
    #expect(result.status == .status(isValid ? .success : .usage))
    #expect(result.output.contains("Range: bytes=\(text)\n") == isValid)
  }

  @Test("--head sends HEAD and writes the fields")
  func head() async throws {
    let program = try await Self.program(.other(200, "text/plain"))
    let run = try await program.run("fetch", "-I", "/me")
    expect(run, .success, output: "HTTP/1.1 200 \r\nContent-Type: text/plain\r\n\r\n")
    #expect(program.transport.sent.last?.line == "HEAD https://api.test/v1/me")
  }

  @Test("--range asks for a part")
  func range() async throws {
    let program = try await Self.program(.status(206, "part"))
    expect(try await program.run("fetch", "/me", "-r", "0-3"), .success, output: "part")
    #expect(program.transport.sent.last?.fields["Range"] == "bytes=0-3")
  }

  @Test("--remote-name names the file, --output-dir its directory, --create-dirs creates it")
  func remoteName() async throws {
    let program = try await Self.program(.status(200, "x"), path: "a/b.txt")
    let folder = program.folder.file("new/deep")
    let refused = try await program.run("fetch", "/a/b.txt", "-O", "--output-dir", folder)
    #expect(refused.status == .status(.failure))
    #expect(program.transport.sent.isEmpty)
    expect(
      try await program.run("fetch", "/a/b.txt", "-O", "--output-dir", folder, "--create-dirs"),
      .success)
    #expect(try program.folder.text(of: "new/deep/b.txt") == "x")
    let both = try await program.run("fetch", "/a/b.txt", "-O", "-o", folder)
    #expect(both.status == .status(.usage))
  }

  @Test(
    "--remote-name needs a name at the end of the path",
    arguments: ["/", "/a/", "/a/.", "/a/..", "/a?b", "https://api.test", "/a\0b"])
  func noRemoteName(target: String) throws {
    let run = Result { try OutputPath.remoteName(target) }
    guard target != "/a?b" else { return #expect(try run.get() == "a") }
    #expect(throws: Failure.self) { try run.get() }
  }

  @Test("--output-dir without a name is the current directory")
  func emptyDirectory() async throws {
    let program = try await Self.program(.status(200, "x"))
    let file = program.folder.file("out")
    expect(try await program.run("fetch", "/me", "-o", file, "--output-dir", ""), .success)
    #expect(try program.folder.text(of: "out") == "x")
  }

  @Test("--no-clobber refuses a file that exists, before the request")
  func clobber() async throws {
    let program = try await Self.program(.status(200, "new"))
    let file = try program.folder.write("old", to: "out")
    expect(
      try await program.run("fetch", "/me", "--no-clobber", "-o", file), .failure,
      errors: "sdkctl: error: could not write the file \(file): it exists already\n")
    #expect(program.transport.sent.isEmpty)
    #expect(try program.folder.text(of: "out") == "old")
    expect(try await program.run("fetch", "/me", "--no-clobber", "-o", "/dev/null"), .success)
  }

  @Test("an HTTP error leaves a file alone, and shows the beginning of its body in the error")
  func error() async throws {
    let text = String(repeating: "line\u{1b}[2J\n", count: 1000)
    let program = try await Self.program(.status(404, text))
    let file = try program.folder.write("old", to: "out")
    let run = try await program.run("fetch", "/me", "-o", file)
    #expect(run.status == .status(.clientError))
    #expect(run.output == "")
    let lines = run.errors.split(separator: "\n")
    #expect(lines.count == 22)
    #expect(lines[1] == "  line[2J")
    #expect(try program.folder.text(of: "out") == "old")
  }

  @Test("a terminal gets no binary data, unless -o - asks for it")
  func binary() async throws {
    let program = try await Self.program(.status(200, "a\0b"))
    program.terminal.connect(.output)
    let run = try await program.run("fetch", "/me")
    #expect(run.status == .status(.failure))
    #expect(run.output == "")
    #expect(run.errors.contains("it is binary"))
    expect(try await program.run("fetch", "/me", "-o", "-"), .success, output: "ab")
  }

  @Test("text ends with a new line on a terminal, and empty JSON stays on its line")
  func newLine() async throws {
    let program = try await Self.program(
      .status(200, "OK"), .status(200, "OK\n"), .status(200), .json(" { } "),
      .json(#"{"a":[],"b": [ 1,2 ]}"# + "\n"))
    program.terminal.connect(.output)
    let lists = "{\n  \"a\": [],\n  \"b\": [\n    1,\n    2\n  ]\n}\n"
    for output in ["OK\n", "OK\n", "", "{}\n", lists] {
      expect(try await program.run("fetch", "/me", "--color", "never"), .success, output: output)
    }
  }

  @Test("JSON has colours and lines of its own on a terminal, and only there")
  func colours() async throws {
    let program = try await Self.program(.json(#"{"a":"b\"",1:[true]}"#))
    program.setVariable("TERM", "xterm")
    expect(try await program.run("fetch", "/me"), .success, output: #"{"a":"b\"",1:[true]}"#)
    program.terminal.connect(.output)
    let (name, string, scalar, end) = ("\u{1b}[34;1m", "\u{1b}[32m", "\u{1b}[36m", "\u{1b}[0m")
    expect(
      try await program.run("fetch", "/me"), .success,
      output: "{\n  \(name)\"a\"\(end): \(string)\"b\\\"\"\(end),\n  \(scalar)1\(end)"
        + ": [\n    \(scalar)true\(end)\n  ]\n}\n")
    expect(
      try await program.run("fetch", "/me", "--color", "never"), .success,
      output: "{\n  \"a\": \"b\\\"\",\n  1: [\n    true\n  ]\n}\n")
  }

  @Test("--etag-save and --etag-compare fetch only a changed resource")
  func etag() async throws {
    var answer = FakeTransport.Response.status(200, "new")
    answer.fields = [HTTPField(known: "ETag", #"W/"7""#)]
    let program = try await Self.program(answer, .status(304), .status(200, "newer"))
    let (tag, file) = (program.folder.file("tag"), program.folder.file("out"))
    let words = ["fetch", "/me", "-o", file, "--etag-save", tag, "--etag-compare", tag]
    expect(try await program.run(words), .success)
    #expect(program.transport.sent.last?.fields["If-None-Match"] == nil)
    #expect(try program.folder.text(of: "tag") == "W/\"7\"\n")
    expect(try await program.run(words), .success)
    #expect(program.transport.sent.last?.fields["If-None-Match"] == #"W/"7""#)
    #expect(try program.folder.text(of: "out") == "new")
    #expect(try program.folder.text(of: "tag") == "W/\"7\"\n")
    expect(try await program.run(words), .success)
    #expect(try program.folder.text(of: "out") == "newer")
    #expect(try program.folder.text(of: "tag") == "")
  }

  @Test("a refusal that names another issuer says so")
  func otherIssuer() async throws {
    let metadata = "https://api.test/.well-known/oauth-protected-resource"
    var refusal = FakeTransport.Response.status(401)
    refusal.fields = [
      HTTPField(known: "WWW-Authenticate", #"Bearer resource_metadata="\#(metadata)""#)
    ]
    for (status, issuer, isNamed) in [
      (401, "https://other.test", true), (401, "https://id.test", false),
      (403, "https://other.test", false),
    ] {
      refusal.status = status
      let program = try await Self.program(refusal)
      program.transport.respond(
        metadata,
        [.json(#"{"resource":"https://api.test","authorization_servers":["\#(issuer)"]}"#)])
      for words in [["fetch", "--unauth", "/me"], ["fetch", "--unauth", "--paginate", "/me"]] {
        let run = try await program.run(words)
        #expect(
          run.errors.contains("the resource takes tokens of another issuer: \(issuer)") == isNamed,
          "\(run)")
      }
    }
  }

  @Test("--etag-save to a file that cannot be written sends nothing")
  func etagUnwritable() async throws {
    let program = try await Self.program(.status(200))
    let run = try await program.run("fetch", "/me", "--etag-save", "/nonexistent/e")
    #expect(run.status == .status(.failure))
    #expect(run.errors.hasPrefix("sdkctl: error: could not write the file /nonexistent/e: "))
    #expect(program.transport.sent.count == 0)
  }

  @Test("--etag-save keeps the bytes of an ETag that is not UTF-8")
  func foreignETag() async throws {
    var answer = FakeTransport.Response.status(200, "new")
    let tag = Array("\"caf".utf8) + [0xE9, 0x22]
    answer.fields = [try HTTPField("ETag", bytes: tag)]
    let program = try await Self.program(answer, .status(304))
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
