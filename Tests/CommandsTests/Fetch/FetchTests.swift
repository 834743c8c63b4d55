import HTTP
import JSON
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("fetch")
struct FetchTests {
  private static let url = "https://api.test/v1/me"

  private static func program(
    _ answers: FakeTransport.Response..., settings: [String: JSON] = [:]
  ) async throws -> TestProgram {
    let program = try await TestProgram.loggedIn(settings)
    program.transport.respond(url, answers.isEmpty ? [.json(#"{"id":7}"#)] : answers)
    return program
  }

  @Test("prints the body unchanged, without a further line break")
  func body() async throws {
    let program = try await Self.program()
    expect(try await program.run("fetch", "/me"), .success, output: #"{"id":7}"#)
    let sent = try #require(program.transport.sent.last)
    #expect(sent.line == "GET \(Self.url)")
    #expect(sent.fields["Authorization"] == "Bearer u1")
  }

  @Test(
    "sends the credential of the access",
    arguments: [
      (Access.user, "Bearer u1"), (.implicit, "Bearer i1"), (.anonymous, "Bearer d1"),
      (.unauthenticated, nil),
    ] as [(Access, String?)])
  func access(access: Access, authorization: String?) async throws {
    let program = try await Self.program()
    try await program.store("i1", refreshToken: nil, scope: "a", in: .implicit)
    try await program.store("d1", in: .anonymous)
    let run = try await program.run(["fetch", "/me"] + Words.access(access))
    expect(run, .success, output: #"{"id":7}"#)
    #expect(program.transport.sent.last?.fields["Authorization"] == authorization)
  }

  @Test("takes the profile's default access")
  func defaultAccess() async throws {
    let program = try await Self.program(settings: ["defaultAccess": "unauth"])
    expect(try await program.run("fetch", "/me"), .success, output: #"{"id":7}"#)
    #expect(program.transport.sent.last?.fields["Authorization"] == nil)
  }

  struct Request: Sendable, CustomTestStringConvertible {
    let words: [String]
    var input = ""
    let line: String
    var body = ""
    var type: String?
    var testDescription: String { words.joined(separator: " ") }
  }

  @Test(
    "sends what the options say",
    arguments: [
      Request(words: ["DELETE", "/me"], line: "DELETE \(url)"),
      Request(words: ["pAtCh", "/me"], line: "PATCH \(url)"),
      Request(words: ["-X", "PUT", "/me", "-d", "x"], line: "PUT \(url)", body: "x"),
      Request(
        words: ["/me", "-d", "x"], line: "POST \(url)", body: "x", type: "application/octet-stream"),
      Request(
        words: ["/me", "-d", "@-"], input: "piped", line: "POST \(url)", body: "piped",
        type: "application/octet-stream"),
      Request(words: ["/me", "-d", ""], line: "POST \(url)", type: "none"),
      Request(
        words: ["/me", "-d", "x", "-H", "content-type: a/b"], line: "POST \(url)", body: "x",
        type: "a/b"),
      Request(
        words: ["/me", "-d", "x", "-H", "Content-Type:"], line: "POST \(url)", body: "x",
        type: "none"),
      Request(words: ["/me", "--param", "a=b c"], line: "GET \(url)?a=b%20c", type: "none"),
      Request(
        words: [
          "/me", "--param", #"l:=[1,"x",[true]]"#, "--param", #"m:={"k":{"b":null},"a":"v"}"#,
        ]
          + ["--param", "e:=[]", "--param", "z=1"],
        line:
          "GET \(url)?l%5B%5D=1&l%5B%5D=x&l%5B%5D%5B%5D=true&m%5Ba%5D=v&m%5Bk%5D%5Bb%5D=null&z=1"),
      Request(
        words: ["/me", "--param", "l:=[1]", "--encoding", "form-json"],
        line: "GET \(url)?l=%5B1%5D"),
      Request(
        words: ["PUT", "/me", "--param", "l:=[1,2]", "--param", "a=b", "--encoding", "form"],
        line: "PUT \(url)", body: "l%5B%5D=1&l%5B%5D=2&a=b",
        type: "application/x-www-form-urlencoded"),
      Request(
        words: ["PUT", "/me", "--param", "l:=[1,2]", "--encoding", "form-json"],
        line: "PUT \(url)", body: "l=%5B1%2C2%5D", type: "application/x-www-form-urlencoded"),
      Request(
        words: ["PUT", "/me", "--param", "l:=[1,2]"], line: "PUT \(url)", body: #"{"l":[1,2]}"#,
        type: "application/json"),
      Request(
        words: ["POST", "/me", "--param", "a=b"], line: "POST \(url)", body: #"{"a":"b"}"#,
        type: "application/json"),
      Request(
        words: ["POST", "/me", "--param", "a=b", "--encoding", "form"], line: "POST \(url)",
        body: "a=b", type: "application/x-www-form-urlencoded"),
    ])
  func request(row: Request) async throws {
    let program = try await Self.program()
    program.transport.respond(
      row.line.split(separator: " ").last.map(String.init) ?? "", .json(#"{"id":7}"#))
    let run = try await program.run(
      ["fetch"] + row.words, input: row.input.isEmpty ? nil : row.input)
    expect(run, .success, output: #"{"id":7}"#)
    let sent = try #require(program.transport.sent.last)
    #expect(sent.line == row.line)
    #expect(sent.body == row.body)
    if let type = row.type {
      #expect((sent.fields["Content-Type"] ?? "none").hasPrefix(type), "\(sent.fields)")
    }
  }

  @Test(
    "gives a body of a file the type of its name",
    arguments: [("a.json", "application/json"), ("b.XML", "application/xml"), ("c", nil)]
      as [(String, String?)])
  func bodyOfFile(name: String, type: String?) async throws {
    let program = try await Self.program()
    let file = try program.folder.write("x", to: name)
    _ = try await program.run("fetch", "/me", "-d", "@\(file)")
    let sent = try #require(program.transport.sent.last)
    #expect(sent.fields.values(of: "Content-Type") == [type ?? "application/octet-stream"])
  }

  @Test("sends header fields, those of a file and of standard input too")
  func headers() async throws {
    let program = try await Self.program()
    let file = try program.folder.write("X-B: 2\n\nX-C: 3\r\n", to: "fields")
    let run = try await program.run(
      "fetch", "/me", "-H", "X-A: 1", "-H", "@\(file)", "-H", "@-", input: "X-D: 4\n")
    expect(run, .success, output: #"{"id":7}"#)
    let fields = try #require(program.transport.sent.last?.fields)
    #expect(["X-A", "X-B", "X-C", "X-D"].map { fields[$0] } == ["1", "2", "3", "4"])
  }

  @Test(
    "refuses a second use of standard input, and a field that is given twice",
    arguments: [
      ["/x", "-F", "a=@-", "-F", "b=@-"], ["/x", "-F", "a=<-", "-F", "b=@-"],
      ["/x", "-H", "@-", "-d", "@-"], ["/x", "-H", "@-", "-d", "-"],
      ["POST", "/x", "--param", "n:=@-", "-H", "@-"], ["/x", "-w", "@-", "-d", "@-"],
      ["--batch", "-", "-H", "@-"], ["/x", "-H", "Range: bytes=0-1", "-r", "2-3"],
    ])
  func ambiguous(words: [String]) async throws {
    let program = try await Self.program()
    let run = try await program.run(["fetch", "--unauth"] + words, input: #"{"path":"/x"}"#)
    #expect(run.status == .status(.usage))
    #expect(program.transport.sent.isEmpty)
  }

  @Test("reads files with a byte order mark, and no fields that are not UTF-8")
  func encodings() async throws {
    let program = try await Self.program()
    let fields = try program.folder.write("\u{FEFF}X-A: 1\r\n", to: "fields")
    let value = try program.folder.write("\u{FEFF}[1]", to: "value")
    let words = ["fetch", "POST", "/me", "-H", "@\(fields)", "--param", "n:=@\(value)"]
    expect(try await program.run(words), .success, output: #"{"id":7}"#)
    #expect(program.transport.sent.last?.fields["X-A"] == "1")
    #expect(program.transport.sent.last?.body == #"{"n":[1]}"#)
    try program.folder.write([0x58, 0x3A, 0x20, 0xFF], to: "fields")
    let run = try await program.run(words)
    #expect(run.status == .status(.usage))
    #expect(run.errors.contains("is not UTF-8"))
  }

  @Test("-H 'NAME:' leaves out a field of the transport, and the type of parameters")
  func omittedHeaders() async throws {
    let program = try await Self.program()
    let words = ["fetch", "POST", "/me", "--param", "a=1", "-H", "Content-Type:", "-H", "Accept:"]
    expect(try await program.run(words + ["-H", "X-A;"]), .success, output: #"{"id":7}"#)
    let sent = try #require(program.transport.sent.last)
    #expect(sent.omittedFields == ["Content-Type", "Accept"])
    #expect(sent.fields["Content-Type"] == nil)
    #expect(sent.fields["X-A"] == "")
    for name in ["Host", "User-Agent", "a b"] {
      let run = try await program.run("fetch", "/me", "-H", "\(name):")
      #expect(run.status == .status(.usage))
    }
  }

  @Test("--no-location writes the redirect itself")
  func redirect() async throws {
    let program = try await Self.program()
    program.transport.respond("https://api.test/v1/old", .redirect(302, to: "/v1/me"))
    let followed = try await program.run("fetch", "-L", "/old", "-w", " %{redirect_url}")
    expect(followed, .success, output: #"{"id":7} "#)
    program.transport.forget()
    let run = try await program.run(
      "fetch", "--no-location", "/old", "-w", " %{http_code} %{redirect_url}")
    expect(run, .success, output: "moved 302 https://api.test/v1/me")
    #expect(program.transport.lines == ["GET https://api.test/v1/old"])
  }

  @Test("--include writes status and fields before the body")
  func include() async throws {
    let run = try await Self.program().run("fetch", "-i", "/me")
    expect(
      run, .success,
      output: "HTTP/1.1 200 \r\nContent-Type: application/json\r\n\r\n{\"id\":7}")
  }

  @Test("--output writes a file that only its owner may read, and nothing to standard output")
  func output() async throws {
    let program = try await Self.program()
    let file = program.folder.file("out.json")
    expect(try await program.run("fetch", "/me", "-o", file), .success)
    #expect(try program.folder.text(of: "out.json") == #"{"id":7}"#)
    #expect(try program.folder.mode(of: "out.json") == 0o600)
    expect(try await program.run("fetch", "/me", "-o", "-"), .success, output: #"{"id":7}"#)
  }

  @Test("--output leaves the file as it was if the transfer fails")
  func outputKept() async throws {
    let program = try await Self.program(.failure(.connection, "broken"))
    let file = try program.folder.write("old", to: "out.json")
    let run = try await program.run("fetch", "/me", "-o", file)
    #expect(run.status == .status(.network))
    #expect(try program.folder.text(of: "out.json") == "old")
  }

  @Test("removes control characters on a terminal, and only there")
  func terminal() async throws {
    let program = try await Self.program(.status(200, "a\u{1b}[2Jb\u{9b}c"))
    expect(try await program.run("fetch", "/me"), .success, output: "a\u{1b}[2Jb\u{9b}c")
    program.terminal.connect(.output)
    expect(try await program.run("fetch", "/me"), .success, output: "a[2Jbc\n")
  }

  struct Failing: Sendable, CustomTestStringConvertible {
    let answer: FakeTransport.Response
    let exit: ExitCode
    let error: String
    var testDescription: String { "\(exit)" }
  }

  @Test(
    "delivers an HTTP error, and exits with 12 or 13",
    arguments: [(400, ExitCode.clientError), (404, .clientError), (500, .serverError)])
  func httpErrors(status: Int, exit: ExitCode) async throws {
    let program = try await Self.program(.status(status, "why"))
    expect(
      try await program.run("fetch", "/me"), exit, output: "why",
      errors: "sdkctl: error: could not fetch \(Self.url): the server returned \(status)\n")
    expect(try await program.run("fetch", "/me", "--no-fail"), .success, output: "why")
    let run = try await program.run("fetch", "/me", "--json")
    #expect(run.jsonError?["code"] == "http_status")
    #expect(run.jsonError?["number"] == .int(Int64(status)))
    #expect(run.jsonError?["exit"] == .int(Int64(exit.rawValue)))
    #expect(run.jsonError?["retryable"] == .bool(status >= 500))
  }

  @Test("says that what may pass can be tried again, and when", arguments: [408, 425, 429, 503])
  func later(status: Int) async throws {
    var response = FakeTransport.Response.status(status)
    response.fields = [HTTPField(known: "Retry-After", "7")]
    let program = try await Self.program(response)
    let run = try await program.run("fetch", "/me", "--json")
    #expect(run.status == .status(status == 503 ? .serverError : .clientError))
    #expect(run.jsonError?["retryable"] == true)
    #expect(
      run.jsonError?["message"]?.string?.hasSuffix("returned \(status), and asks to wait 7 s")
        == true)
  }

  @Test(
    "has an exit status for each kind of error",
    arguments: [
      Failing(
        answer: .failure(.timeout, "timed out"), exit: .network,
        error: "could not fetch \(url): timed out"),
      Failing(
        answer: .failure(.tls, "expired"), exit: .tls, error: "could not fetch \(url): expired"),
      Failing(
        answer: .failure(.pinMismatch, "no key"), exit: .pin,
        error: "could not fetch \(url): no key"),
      Failing(
        answer: .failure(.malformed, "no HTTP"), exit: .failure,
        error: "could not fetch \(url): no HTTP"),
      Failing(
        answer: .redirect(302, to: "http://api.test/v1/x"), exit: .policy,
        error: "could not fetch \(url): "),
    ])
  func trouble(row: Failing) async throws {
    let run = try await Self.program(row.answer).run("fetch", "/me")
    #expect(run.status == .status(row.exit))
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("sdkctl: error: \(row.error)"))
  }

  @Test("renews a token that the server refuses, once")
  func unauthorized() async throws {
    let program = try await Self.program(.status(401, "no"), .json("1"))
    expect(try await program.run("fetch", "/me"), .success, output: "1")
    #expect(program.transport.sent.last?.fields["Authorization"] == "Bearer u2")
    let refused = try await Self.program(.status(401, "no"))
    let run = try await refused.run("fetch", "/me")
    #expect(run.status == .status(.clientError))
    #expect(run.output == "no")
    #expect(refused.transport.lines.count { $0 == "GET \(Self.url)" } == 2)
  }

  @Test("exits with 4 and the command of the stronger login that the resource requires")
  func stepUp() async throws {
    var answer = FakeTransport.Response.status(401, "no")
    answer.fields = [
      HTTPField(
        known: "WWW-Authenticate",
        #"Bearer error="insufficient_user_authentication", acr_values="gold", max_age="5""#)
    ]
    let run = try await Self.program(answer).run("fetch", "/me")
    #expect(run.status == .status(.authenticationRequired))
    #expect(run.output == "no")
    #expect(run.errors.hasSuffix("sdkctl: hint: sdkctl -p work login --acr gold --max-age 5\n"))
  }

  /// The refusal of a token whose scope is too small.
  static let withoutScope: FakeTransport.Response = {
    var answer = FakeTransport.Response.status(403, "no")
    answer.fields = [
      HTTPField(
        known: "WWW-Authenticate", #"Bearer error="insufficient_scope", scope="a write""#)
    ]
    return answer
  }()

  @Test(
    "a 403 names the scope that is missing, and the login that asks for it",
    arguments: [
      ("--user", "login --scope 'a b write'"),
      ("--implicit", "login --implicit --scope 'a b write'"),
      ("--anonymous", "login --anonymous --scope 'a b write'"),
    ])
  func missingScope(access: String, login: String) async throws {
    let program = try await Self.program(Self.withoutScope)
    for slot in [CredentialSlot.implicit, .anonymous] { try await program.store("t", in: slot) }
    let run = try await program.run("fetch", access, "/me")
    #expect(run.status == .status(.clientError))
    #expect(run.errors.contains("the token does not have the scope 'write'\n"), "\(run)")
    #expect(run.errors.hasSuffix("sdkctl: hint: sdkctl -p work \(login)\n"), "\(run)")
  }

  @Test("a body that is not named is not left out")
  func unnamedBody() async throws {
    let program = try await Self.program(.status(200, "ok"))
    let run = try await program.run("fetch", "POST", "/me", input: #"{"a":1}"#)
    expect(
      run, .usage,
      errors: """
        sdkctl: error: could not choose the input: standard input is a pipe or a file, but '--data -' is \
        missing
        sdkctl: hint: sdkctl fetch POST /me --data -
        sdkctl: hint: sdkctl fetch POST /me </dev/null

        """)
    #expect(program.transport.sent.isEmpty)
    for words in [
      ["/me"], ["DELETE", "/me"], ["POST", "/me", "-d", ""], ["POST", "/me", "--param", "a=1"],
    ] {
      let run = try await program.run(["fetch"] + words, input: "x")
      #expect(run.status == .status(.success), "\(words) \(run)")
    }
    #expect(try await program.run("fetch", "POST", "/me").status == .status(.success))
  }

  struct Refused: Sendable, CustomTestStringConvertible {
    let words: [String]
    let exit: ExitCode
    let number: Int64
    var testDescription: String { words.joined(separator: " ") }
  }

  @Test(
    "refuses before a connection is made",
    arguments: [
      Refused(words: ["https://other.test/"], exit: .policy, number: 10_015),
      Refused(words: ["-X", "GE T", "/me"], exit: .usage, number: 10010),
      Refused(words: ["OPTIONS", "/me"], exit: .usage, number: 10010),
      Refused(words: ["-X", "po\u{17F}t", "/me"], exit: .usage, number: 10010),
      Refused(words: ["/me", "-H", "User-Agent: x"], exit: .usage, number: 10019),
      Refused(words: ["/me", "-H", "Authorization: x"], exit: .usage, number: 10019),
      Refused(words: ["/me", "-H", "nonsense"], exit: .usage, number: 10_015),
      Refused(words: ["a", "b", "c"], exit: .usage, number: 10_015),
      Refused(words: ["GET", "/me", "-X", "PUT"], exit: .usage, number: 10_015),
      Refused(words: ["/me", "-d", "@/nowhere/x"], exit: .failure, number: 10_000),
      Refused(words: ["/me", "-o", "/nowhere/x"], exit: .failure, number: 10_000),
      Refused(words: ["/me", "--param", "x"], exit: .usage, number: 10_015),
    ])
  func refused(row: Refused) async throws {
    let program = try await Self.program()
    let run = try await program.run(["fetch", "--json"] + row.words)
    #expect(run.status == .status(row.exit))
    #expect(run.output == "")
    #expect(run.jsonError?["number"] == .int(row.number))
    #expect(program.transport.sent.isEmpty)
  }

  @Test(
    "needs the slot of the access",
    arguments: [(Access.user, 9010), (.implicit, 9026), (.anonymous, 10012)] as [(Access, Int64)])
  func slot(access: Access, number: Int64) async throws {
    let program = try TestProgram([:])
    let run = try await program.run(["fetch", "/me", "--json"] + Words.access(access))
    #expect(run.status == .status(.authenticationRequired))
    #expect(run.jsonError?["number"] == .int(number))
    #expect(program.transport.sent.isEmpty)
  }

  @Test("with -v shows requests and responses, without the token")
  func verbose() async throws {
    let run = try await Self.program().run("fetch", "-v", "/me")
    #expect(run.status == .status(.success))
    #expect(!run.errors.contains("u1"))
    #expect(!run.errors.contains("Authorization"))
  }

  @Test("with -vv shows what --trace writes, without the token")
  func moreVerbose() async throws {
    let run = try await Self.program().run("fetch", "-vv", "/me")
    #expect(run.status == .status(.success))
    #expect(run.errors.contains("> Authorization: Bearer ‹redacted›"))
    #expect(!run.errors.contains("u1"))
  }
}
