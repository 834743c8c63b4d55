import HTTP
import JSON
import TestSupport
import Testing

@testable import Commands

@Suite("fetch --paginate")
struct FetchPagesTests {
  private static let start = "https://api.test/v1/list"

  private static func page(_ body: String, next: String? = nil) -> FakeTransport.Response {
    var response = FakeTransport.Response.json(body)
    if let next { response.fields.append(HTTPField(known: "Link", "<\(next)>; rel=\"next\"")) }
    return response
  }

  /// A list of three pages.
  private static func program(
    _ last: FakeTransport.Response = page("[4]")
  ) async throws -> TestProgram {
    let program = try await TestProgram.loggedIn([:])
    program.transport.respond(start, page("[1,2]", next: "?p=2"))
    program.transport.respond(start + "?p=2", page(#"[{"a":3.0}]"#, next: "?p=3"))
    program.transport.respond(start + "?p=3", last)
    return program
  }

  @Test("writes the pages one after the other, each on lines of its own")
  func pages() async throws {
    let run = try await Self.program().run("fetch", "--paginate", "/list")
    expect(run, .success, output: "[1,2]\n[{\"a\":3.0}]\n[4]", errors: "")
  }

  @Test("--slurp writes one array")
  func slurp() async throws {
    let run = try await Self.program(Self.page(#"{"b":5}"#))
      .run("fetch", "--paginate", "--slurp", "/list")
    expect(run, .success, output: "[\n1,\n2,\n{\"a\":3.0},\n{\"b\":5}\n]\n", errors: "")
    let program = try await TestProgram.loggedIn([:])
    program.transport.respond(Self.start, Self.page("[]"))
    expect(
      try await program.run("fetch", "--paginate", "--slurp", "/list"), .success, output: "[]\n")
  }

  @Test("--json does not change what a file gets")
  func file() async throws {
    let program = try await Self.program()
    let file = program.folder.file("out")
    for words in [[], ["--json"]] {
      let run = try await program.run(["fetch", "--paginate", "/list", "-o", file] + words)
      #expect(run.status == .status(.success), "\(run)")
      #expect(try program.folder.text(of: file) == "[1,2]\n[{\"a\":3.0}]\n[4]")
    }
  }

  @Test("--next-field and --next-param follow a cursor")
  func cursor() async throws {
    let program = try await TestProgram.loggedIn([:])
    program.transport.respond(Self.start + "?n=1", .json(#"{"i":1,"next":{"at":"x y"}}"#))
    program.transport.respond(Self.start + "?n=1&at=x%20y", .json(#"{"i":2}"#))
    let run = try await program.run(
      "fetch", "--paginate", "--next-field", "next.at", "--next-param", "at", "/list", "--param",
      "n=1")
    expect(run, .success, output: "{\"i\":1,\"next\":{\"at\":\"x y\"}}\n{\"i\":2}")
  }

  @Test(
    "what looks like a next page, but is not followed, is said with the options that follow it",
    arguments: [
      (
        #"{"nextPageToken":"t"}"#, "'nextPageToken' looks like a cursor",
        "--next-field nextPageToken --next-param pageToken"
      ),
      (#"{"next":7}"#, "'next' looks like a cursor", "--next-field next --next-param cursor"),
      (
        #"{"next":"https://other.test/2"}"#, "'next' looks like a URL of another origin",
        "--next-field next"
      ),
    ])
  func unfollowed(body: String, cause: String, options: String) async throws {
    let program = try await TestProgram.loggedIn([:])
    program.transport.respond(Self.start, .json(body))
    let run = try await program.run("fetch", "--paginate", "/list")
    #expect(run.status == .status(.success))
    #expect(run.output == body)
    #expect(run.errors.contains(cause), "\(run)")
    #expect(run.errors.hasSuffix("hint: sdkctl fetch --paginate /list \(options)\n"), "\(run)")
  }

  @Test("--next-field follows a URL in a member with a dot in its name")
  func field() async throws {
    let program = try await TestProgram.loggedIn([:])
    program.transport.respond(Self.start, .json(#"{"@odata.nextLink":"https://api.test/2"}"#))
    program.transport.respond("https://api.test/2", .json("{}"))
    let run = try await program.run(
      "fetch", "--paginate", "--next-field", "@odata.nextLink", "/list", "--json")
    #expect(run.status == .status(.success))
    #expect(run.json?["pages"] == 2)
    #expect(run.json?["next"] == .null)
    #expect(run.json?["body"] == [["@odata.nextLink": "https://api.test/2"], [:]])
  }

  @Test(
    "says where to go on after a failure, and ends the array",
    arguments: [
      (FakeTransport.Response.status(500, "broken\n"), Commands.ExitCode.serverError),
      (.failure(.connection, "broken"), .network), (.status(404, "broken"), .clientError),
    ])
  func failure(last: FakeTransport.Response, exit: Commands.ExitCode) async throws {
    let run = try await Self.program(last).run("fetch", "--paginate", "--slurp", "/list")
    #expect(run.status == .status(exit))
    #expect(run.output == "[\n1,\n2,\n{\"a\":3.0}\n]\n")
    #expect(
      run.errors.hasPrefix(
        """
        sdkctl: page 3 was not fetched; to go on, use the same options and this URL:
        https://api.test/v1/list?p=3

        """), "\(run.errors)")
    #expect(run.errors.contains("broken"))
  }

  @Test("goes on at the URL that it has shown, with the parameters in it")
  func goingOn() async throws {
    let program = try await TestProgram.loggedIn([:])
    program.transport.respond(Self.start + "?n=1", Self.page("1", next: "?n=1&p=2"))
    program.transport.respond(Self.start + "?n=1&p=2", .status(503), Self.page("2"))
    let run = try await program.run("fetch", "--paginate", "/list", "--param", "n=1")
    #expect(run.status == .status(.serverError))
    #expect(run.errors.contains("use the same options, without --param, and this URL:\n"))
    let next = "https://api.test/v1/list?n=1&p=2"
    #expect(run.errors.contains("\n\(next)\n"))
    expect(try await program.run("fetch", "--paginate", next), .success, output: "2")
  }

  @Test("does not show a secret of the URL")
  func secretURL() async throws {
    let program = try await TestProgram.loggedIn([:])
    let next = "?access_token=s3cret-value&page_token=abcdef"
    program.transport.respond(Self.start, Self.page("1", next: next))
    program.transport.respond(Self.start + next, .status(503))
    let run = try await program.run("fetch", "--paginate", "/list", "--json")
    #expect(run.status == .status(.serverError))
    #expect(!run.errors.contains("s3cret"))
    #expect(run.errors.contains("page_token=abcdef"))
    #expect(run.json?["next"]?.string?.contains("s3cret") == false)
  }

  @Test("--max-pages ends with a note; at the limit of 1000 the list is not complete")
  func limits() async throws {
    let run = try await Self.program().run("fetch", "--paginate", "--max-pages", "2", "/list")
    expect(
      run, .success, output: "[1,2]\n[{\"a\":3.0}]",
      errors: """
        sdkctl: page 3 was not fetched; to go on, use the same options and this URL:
        https://api.test/v1/list?p=3

        """)
    let program = try await TestProgram.loggedIn([:])
    program.transport.setDefaultCheck { request in
      guard let number = Int(request.url.split(separator: "=").last ?? "") ?? 1 as Int?,
        request.url.hasPrefix(Self.start)
      else { return nil }
      return Self.page("1", next: "?p=\(number + 1)")
    }
    let endless = try await program.run("fetch", "--paginate", "/list", "--slurp")
    #expect(endless.status == .status(.failure))
    #expect(endless.errors.contains("could not fetch all pages: there are more than 1000"))
    #expect(endless.errors.contains("list?p=1001\n"))
    #expect(program.transport.sent.count == 1000)
  }

  @Test("--output writes the file only if all pages have been fetched")
  func file() async throws {
    let program = try await Self.program()
    let file = try program.folder.write("old", to: "out")
    expect(
      try await program.run("fetch", "--paginate", "--slurp", "/list", "-o", file), .success,
      output: "")
    #expect(try program.folder.text(of: "out") == "[\n1,\n2,\n{\"a\":3.0},\n4\n]\n")
    program.transport.respond(Self.start + "?p=3", .status(500))
    let run = try await program.run("fetch", "--paginate", "/list", "-o", file)
    #expect(run.status == .status(.serverError))
    #expect(try program.folder.text(of: "out").hasPrefix("[\n1"))
  }

  @Test("asks for no further page if one cannot be written")
  func full() async throws {
    let program = try await Self.program()
    let run = try await program.run("fetch", "--paginate", "/list", "-o", "/dev/full")
    #expect(run.status == .status(.failure))
    #expect(run.errors.contains("no space left on device"), "\(run)")
    #expect(program.transport.sent.count == 1)
  }

  @Test("--json takes no page that announces more than is kept in memory")
  func announced() async throws {
    let program = try await Self.program()
    var page = Self.page("[1]", next: "?p=2")
    page.fields.append(HTTPField(known: "Content-Length", "100000000"))
    program.transport.respond(Self.start, page)
    let run = try await program.run("fetch", "--paginate", "/list", "--json")
    #expect(run.errors.contains(#""code":"response_too_large""#), "\(run)")
    #expect(program.transport.sent.count == 1)
  }

  @Test("--slurp refuses a page that is not JSON")
  func notJSON() async throws {
    let run = try await Self.program(.status(200, "<html>"))
      .run("fetch", "--paginate", "--slurp", "/list")
    #expect(run.status == .status(.failure))
    #expect(
      run.errors.contains(
        "could not write page 3: it is not JSON: unexpected character at line 1, column 1"))
    #expect(run.output == "[\n1,\n2,\n{\"a\":3.0}\n]\n")
  }

  @Test("--max-size limits each page")
  func size() async throws {
    let run = try await Self.program(Self.page("[123456]"))
      .run("fetch", "--paginate", "--max-size", "12", "/list")
    expect(run, .success, output: "[1,2]\n[{\"a\":3.0}]\n[123456]")
    let refused = try await Self.program(Self.page("[12345678901]"))
      .run("fetch", "--paginate", "--max-size", "12", "/list")
    #expect(refused.status == .status(.failure))
    #expect(refused.output == "[1,2]\n[{\"a\":3.0}]")
  }

  @Test(
    "is used for a GET, alone",
    arguments: [
      ["fetch", "POST", "/list", "--paginate"], ["fetch", "--paginate", "-I", "/list"],
      ["fetch", "--paginate", "-d", "x", "/list"], ["fetch", "--slurp", "/list"],
      ["fetch", "--paginate", "--next-param", "x", "/list"],
      ["fetch", "--paginate", "--max-pages", "0", "/list"],
      ["fetch", "--paginate", "--dry-run", "/list"], ["fetch", "--paginate", "--no-fail", "/list"],
    ])
  func usage(words: [String]) async throws {
    let program = try await Self.program()
    let run = try await program.run(words)
    #expect(run.status == .status(.usage))
    #expect(program.transport.sent.isEmpty)
  }
}
