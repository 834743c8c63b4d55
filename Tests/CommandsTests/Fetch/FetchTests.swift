import CoreTestSupport
import SDKCore

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
    "refuses a second use of standard input, and a field that is given twice",
    arguments: [
      ["/x", "-F", "a=@-", "-F", "b=@-"], ["/x", "-F", "a=<-", "-F", "b=@-"],
      ["/x", "-H", "Range: bytes=0-1", "-r", "2-3"],
    ])
  func ambiguous(words: [String]) async throws {
    let program = try await Self.program()
    let run = try await program.run(["fetch", "--unauth"] + words, input: #"{"path":"/x"}"#)
    #expect(run.status == .status(.usage))
    #expect(program.transport.sent.isEmpty)
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

  struct Failing: Sendable, CustomTestStringConvertible {
    let answer: FakeTransport.Response
    let exit: ExitCode
    let error: String
    var testDescription: String { "\(exit)" }
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

  /// The refusal of a token whose scope is too small.
  static let withoutScope: FakeTransport.Response = {
    var answer = FakeTransport.Response.status(403, "no")
    answer.fields = [
      HTTPField(
        known: "WWW-Authenticate", #"Bearer error="insufficient_scope", scope="a write""#)
    ]
    return answer
  }()

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
}
