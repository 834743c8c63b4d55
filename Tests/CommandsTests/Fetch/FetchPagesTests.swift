import CoreTestSupport

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

  @Test("--json does not change what a file gets")
  func fileWithJSON() async throws {
    let program = try await Self.program()
    for words in [[], ["--json"]] {
      let run = try await program.run(
        ["fetch", "--paginate", "/list", "-o", program.folder.file("out")] + words)
      #expect(run.status == .status(.success), "\(run)")
      #expect(try program.folder.text(of: "out") == "[1,2]\n[{\"a\":3.0}]\n[4]")
    }
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
