import Glibc
import HTTP
import JSON
import POSIX
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("Preview and trace of fetch")
struct FetchPreviewTests {
  @Test("--dry-run shows the request without its secrets, and sends nothing")
  func dryRun() async throws {
    let program = try await TestProgram.loggedIn([:])
    let run = try await program.run(
      "fetch", "--dry-run", "POST", "/orders", "--param", "item=7", "-H", "X-A: 1", "-H",
      "Cookie: s=1")
    expect(
      run, .success,
      output: """
        POST /v1/orders HTTP/1.1
        Host: api.test
        User-Agent: sdkctl/\(Version.text)
        Accept: */*
        Authorization: Bearer ‹redacted›
        X-A: 1
        Cookie: ‹redacted›
        Content-Type: application/json

        {
          "item": "7"
        }

        """)
    #expect(program.transport.sent.isEmpty)
    let query = try await program.run(
      "fetch", "--dry-run", "/me?a=1&access_token=abcs", "-H", "Accept:")
    #expect(query.output.hasPrefix("GET /v1/me?a=1&access_token=‹redacted› HTTP/1.1\n"))
    #expect(!query.output.contains("Accept"))
    let json = try await program.run("fetch", "--dry-run", "/me", "--json").json
    #expect(json?["method"] == "GET")
    #expect(json?["url"] == "https://api.test/v1/me")
    #expect(json?["body"] == .null)
  }

  @Test("--dry-run shows no page, whose secrets nobody knows")
  func page() async throws {
    let program = try await TestProgram.loggedIn([:])
    let page = "<input type=password value=hunter22>"
    let run = try await program.run(
      ["fetch", "--dry-run", "POST", "/page", "--data", page, "-H", "Content-Type: text/html"])
    #expect(run.output.hasSuffix("\n\n[36 bytes of text/html]\n"), "\(run)")
  }

  @Test(
    "--dry-run makes the checks that need no network",
    arguments: [
      (["https://other.test/"], ExitCode.policy), (["-X", "GE T", "/me"], .usage),
      (["/me", "-H", "Host: x"], .usage),
    ])
  func refused(words: [String], exit: ExitCode) async throws {
    let run = try await TestProgram.loggedIn([:]).run(["fetch", "--dry-run"] + words)
    #expect(run.status == .status(exit))
  }

  @Test(
    "--as-curl prints a command whose token comes through a pipe",
    arguments: [
      (
        ["/me"],
        "sdkctl -p work token --curl | curl --config - --proto '=https' --tlsv1.2 --location "
          + "--user-agent sdkctl/VERSION https://api.test/v1/me "
          + "--fail-with-body"
      ),
      (
        [
          "--unauth", "PUT", "/x y", "-d", "it's", "-H", "A: b", "--no-fail", "--retry", "2",
          "--connect-timeout", "1.5", "--connect-to", "::b.test:", "-o", "f",
        ],
        "curl --proto '=https' --tlsv1.2 --connect-timeout 1.500 --connect-to ::b.test: --retry 2 "
          + "--location --request PUT --post301 --post302 --user-agent sdkctl/VERSION --header 'A: b' "
          + "--header 'Content-Type: application/octet-stream' --data-binary 'it'\\''s' "
          + "https://api.test/v1/x%20y --output f"
      ),
      (
        // curl would take what follows a semicolon for the type of the part.
        ["--unauth", "POST", "/up", "-F", "f=a;b", "--param", "p=1"],
        "curl --proto '=https' --tlsv1.2 --location --user-agent sdkctl/VERSION --form-string p=1 "
          + "--form-string 'f=a;b' https://api.test/v1/up --fail-with-body"
      ),
      (
        ["--unauth", "/x", "-H", "A:", "-H", "B;", "--no-location"],
        "curl --proto '=https' --tlsv1.2 --user-agent sdkctl/VERSION --header 'B;' "
          + "--header A: https://api.test/v1/x --fail-with-body"
      ),
      (
        ["--unauth", "/up", "-F", #"f={"a":1};type=application/json"#],
        "curl --proto '=https' --tlsv1.2 --location --user-agent sdkctl/VERSION "
          + #"--form 'f="{\"a\":1}";type=application/json' https://api.test/v1/up --fail-with-body"#
      ),
      (
        ["--anonymous", "/up", "-F", "f=a", "--param", "p=1", "-I"],
        nil
      ),
    ] as [([String], String?)])
  func curl(words: [String], command: String?) async throws {
    let program = try await TestProgram.loggedIn([:])
    let run = try await program.run(["fetch", "--as-curl"] + words)
    guard let command else { return #expect(run.status == .status(.usage)) }
    #expect(run.status == .status(.success))
    #expect(run.output == command.replacing("VERSION", with: Version.text) + "\n")
    #expect(program.transport.sent.isEmpty)
  }

  @Test(
    "--as-curl has the proxy of the profile, with its exceptions and without those of the environment",
    arguments: [
      (["proxy": "none"], "--noproxy '*'"),
      (["proxy": "http://p.test:1"], "--proxy http://p.test:1 --noproxy ''"),
      (
        ["proxy": "http://p.test:1", "noProxy": "a.test .b.test"],
        "--proxy http://p.test:1 --noproxy a.test,.b.test"
      ),
    ] as [([String: JSON], String)])
  func curlProxy(settings: [String: JSON], words: String) async throws {
    let run = try await TestProgram(settings).run("fetch", "--unauth", "--as-curl", "/x")
    #expect(run.output.contains(" \(words) "), "\(run)")
  }

  @Test(
    "--as-curl repeats only a method that may be repeated", arguments: ["POST", "PATCH", "PUT"])
  func curlRetry(method: String) async throws {
    let run = try await TestProgram.loggedIn([:]).run(
      "fetch", "--unauth", "--as-curl", method, "/x", "--retry", "2")
    #expect(run.output.contains("--retry 2") == (method == "PUT"), "\(run)")
  }

  @Test("--as-curl says what it leaves out")
  func curlNotes() async throws {
    let program = try await TestProgram.loggedIn([:])
    func notes(_ words: String...) async throws -> String {
      try await program.run(["fetch", "--unauth", "--as-curl"] + words).errors
    }
    #expect(try await notes("/x") == "")
    #expect(
      try await notes("POST", "/x", "--retry", "2")
        == "sdkctl: --retry is left out: curl would repeat POST too\n")
    #expect(
      try await notes("/x?access_token=t", "--param", "a=1")
        == "sdkctl: the command contains the value of 'access_token'\n")
    #expect(
      try await notes("POST", "/x", "--param", "password=p", "--encoding", "form")
        == "sdkctl: the command contains the value of 'password'\n")
    #expect(
      try await notes("PUT", "/x")
        == "sdkctl: curl does not change PUT to GET after a redirect with 303\n")
    #expect(
      try await notes("/x", "-H", "X-Api-Key: k")
        == "sdkctl: the value of 'X-Api-Key' is not shown; put the field into a file: -H @FILE\n")
    let file = try program.folder.write("X-Api-Key: k\nX-B: 1\n", to: "fields")
    let run = try await program.run(
      "fetch", "--unauth", "--as-curl", "/x", "-H", "@\(file)", "-H", "X-C: 2")
    expect(
      run, .success,
      output: "curl --proto '=https' --tlsv1.2 --location --user-agent sdkctl/\(Version.text) "
        + "--header 'X-C: 2' --header @\(file) https://api.test/v1/x --fail-with-body\n")
  }

  @Test("--as-curl leaves curl no secret field of standard input, which is read already")
  func curlInput() async throws {
    let program = try await TestProgram.loggedIn([:])
    let run = try await program.run(
      "fetch", "--unauth", "--as-curl", "/x", "-H", "@-", input: "X-Api-Key: k\n")
    #expect(!run.output.contains("@-"), "\(run)")
    #expect(run.errors.contains("the value of 'X-Api-Key' is not shown"), "\(run)")
  }

  @Test("--as-curl reads a file of header fields once: it may be a pipe")
  func curlPipe() async throws {
    let program = try await TestProgram.loggedIn([:])
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    defer { close(ends[0]) }
    let output = Output(descriptor: ends[1])
    output.write("X-Api-Key: k\n")
    try output.flush()
    close(ends[1])
    let path = "/dev/fd/\(ends[0])"
    let run = try await program.run("fetch", "--unauth", "--as-curl", "/x", "-H", "@\(path)")
    #expect(run.output.contains(" --header @\(path) "), "\(run)")
    #expect(run.errors == "")
  }

  @Test("--as-curl gets an identity and a token through a pipe")
  func curlIdentity() async throws {
    let program = try await TestProgram.loggedIn([:])
    let pem = try program.folder.write(try IdentityFixture("alice").pem, to: "alice.pem")
    _ = try await program.run(
      "identity", "import", pem, "--name", "alice", "--host", "api.test")
    let export = "sdkctl -p work identity export alice --curl"
    for (words, start) in [
      (["/me"], "{ sdkctl -p work token --curl; \(export); } | curl --config - "),
      (["--unauth", "/me"], "\(export) | curl --config - "),
      (["--unauth", "--no-identity", "/me"], "curl --proto "),
      (["--unauth", "https://other.test/me"], "curl --proto "),
      (
        ["--unauth", "--identity", "alice", "https://other.test/me"],
        "\(export) | curl --config - "
      ),
    ] {
      let run = try await program.run(["fetch", "--as-curl"] + words)
      #expect(run.output.hasPrefix(start), "\(run)")
    }
  }

  @Test("--trace writes each exchange, those with the authorization server too, without secrets")
  func trace() async throws {
    let program = try await TestProgram.loggedIn([:])
    program.transport.respond("https://api.test/v1/me", [.status(401), .json(#"{"echo":"u2"}"#)])
    let file = program.folder.file("trace")
    let first = try await program.run("fetch", "/me", "--trace", file)
    #expect(first.status == .status(.success))
    let text = try program.folder.text(of: "trace")
    #expect(text.contains("#1 2027-01-15T08:00:00Z GET https://api.test/v1/me\n"))
    #expect(text.contains("> Authorization: Bearer ‹redacted›\n"))
    #expect(text.contains("< HTTP/1.1 401\n"))
    #expect(text.contains("> grant_type = refresh_token\n> refresh_token = ‹redacted›\n"))
    #expect(!text.contains("refresh-1"))
    #expect(try program.folder.mode(of: "trace") == 0o600)
  }

  @Test("--trace says once that it cannot be written")
  func fullTrace() async throws {
    let program = try await TestProgram.loggedIn([:])
    program.transport.respond("https://api.test/v1/me", [.status(401), .json("1")])
    let run = try await program.run("fetch", "/me", "--trace", "/dev/full")
    #expect(run.status == .status(.success), "\(run)")
    #expect(run.errors.split(separator: "\n").count == 1)
    #expect(run.errors.hasPrefix("sdkctl: warning: could not write the trace: "), "\(run)")
  }
}
