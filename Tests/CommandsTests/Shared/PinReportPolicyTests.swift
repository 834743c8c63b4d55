import Arguments
import CoreTestSupport

@testable import Commands

/// A request that the policy lets pass is told by libcurl's side; these tests are of the commands.
@Suite("pinPolicy=report", .timeLimit(.minutes(10)))
struct PinReportPolicyTests {
  /// A command line that uses the network, and what it needs.
  private struct Line: Sendable {
    var words: [String]
    var input: String?
    var settings: [String: JSON] = [:]
    var isRegistered = true
  }

  private static let lines: [String: Line] = [
    "register": Line(words: [], isRegistered: false),
    "register show": Line(words: []),
    "register update": Line(words: ["--client-name", "mine"]),
    "account create": Line(
      words: ["--email", "a@x.test"], settings: ["endpoints.account": "https://id.test/join"]),
    "account reset-password": Line(
      words: ["--email", "a@x.test"], settings: ["endpoints.passwordReset": "https://id.test/r"]),
    "login": Line(words: ["--no-browser", "--timeout", "1"]),
    "login password": Line(
      words: ["alice", "--password-file", "-"], input: "word\n", settings: ["passwordGrant": true]),
    "login assertion": Line(words: ["--assertion-file", "-"], input: "h.p.s\n"),
    "login exchange": Line(words: ["--token-file", "-"], input: "token\n"),
    "login token": Line(words: ["--token-file", "-"], input: "token\n"),
    "login form": Line(
      words: ["alice", "--password-file", "-"], input: "word\n",
      settings: ["form.url": "https://id.test/page"]),
    "fido register": Line(
      words: ["--passcode-file", "-"], input: "271828\n",
      settings: ["fido.url": "https://id.test/fido", "fido.user": "alice"]),
    "fido target list": Line(words: [], settings: ["fido.url": "https://id.test/fido"]),
    "fido target add": Line(
      words: ["laptop"], settings: ["fido.url": "https://id.test/fido"]),
    "fido target remove": Line(
      words: ["t1", "--yes"], settings: ["fido.url": "https://id.test/fido"]),
    "profile seal": Line(words: ["--passcode-file", "-"], input: "27182\n"),
    "token": Line(words: []), "token refresh": Line(words: []), "token revoke": Line(words: []),
    "token userinfo": Line(words: []), "token introspect": Line(words: []),
    "token verify": Line(
      words: ["-"], input: "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJodHRwczovL2lkLnRlc3QifQ.AAAA\n"),
    "fetch": Line(words: ["/me"]), "exec": Line(words: ["--", "tool"]),
    "credential git": Line(words: ["get"], input: "protocol=https\nhost=api.test\n\n"),
    "credential docker": Line(words: ["get"], input: "https://api.test"),
    "credential kubectl": Line(words: []), "credential mcp": Line(words: []),
    "credential aws": Line(
      words: ["--role-arn", "arn:r", "--sts-url", "https://sts.test"],
      settings: ["allowedHosts": ["sts.test"]]),
    "identity obtain": Line(
      words: [], settings: ["identity.obtain": "est", "identity.url": "https://est.test"]),
    "pin import": Line(words: ["https://team.test/pins", "--signed-by", "KEY", "--yes"]),
    "profile metadata": Line(words: []),
    "logout": Line(words: []), "deregister": Line(words: ["--yes"]),
    "user remove": Line(words: ["--yes"]),
  ]

  /// The commands of the table that use the network and are not tried, with the reason.
  private static let exceptions = [
    "profile add": "with --pin it shows the chain and asks before it pins",
    "pin add": "it shows the chain and asks before it pins",
    "profile import": "it connects only to store a client secret, as `register` does",
    "pin show": "it prints the chain beside the pins",
    "pin hash": "it prints the keys of a chain, and does not compare",
    "pin check": "its report is the comparison",
    "pin plan": "its report is the comparison", "pin update": "it shows the difference and asks",
    "fido login": "it connects as `fido register` does, with a key from there",
    "fido deregister": "it connects as `fido register` does, for a key from there",
    "profile store move": storeReason, "profile store show": storeReason,
    "profile store key rotate": storeReason,
    "proxy": "it runs until a signal ends it, and connects as `fetch` does",
    "identity renew": "it connects as `identity obtain` does, for an identity from the service",
  ]

  private static let storeReason =
    "it connects to a cluster of etcd only, for which it is tried in Tests/Sandbox/test_shared_store.py"

  @Test("is tried for every command of the table that uses the network, or there is a reason")
  func complete() {
    let commands = commandTable.catalog.entries.flatMap { entry in
      (entry.command.map { [$0] } ?? []) + entry.subcommands
    }
    let connecting = commands.filter { $0.page.needs.contains(.network) }
      .map { $0.path.joined(separator: " ") }
    #expect(Set(connecting) == Set(Self.lines.keys).union(Self.exceptions.keys))
    #expect(Set(Self.lines.keys).isDisjoint(with: Self.exceptions.keys))
  }

  @Test(
    "shows in the output of each of them what it let pass, also with -q",
    arguments: lines.keys.sorted())
  func shown(command: String) async throws {
    var line = try #require(Self.lines[command])
    let program = try await Self.program(line)
    try program.folder.write("#!/bin/sh\n", to: "bin/tool", mode: 0o755)
    if let index = line.words.firstIndex(of: "KEY") {
      let key =
        #"{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","#
        + #""y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#
      line.words[index] = try program.folder.write(key, to: "team.jwk")
    }
    program.reportsPins = true
    let words = command.split(separator: " ").map(String.init) + ["-q"] + line.words
    let run = try await program.run(words, input: line.input)
    #expect(!program.transport.sent.isEmpty, "\(run)")
    #expect(run.status != .status(.usage), "\(run)")
    for sent in program.transport.sent {
      let host = try HTTPURL(sent.url).host
      #expect(
        run.errors.contains("warning: no key in the chain of \(host) is pinned; the profile"),
        "\(run)")
    }
    #expect(run.errors.contains(TestChain.pin("leaf").description), "\(run)")
  }

  @Test("fetch --strict-pins delivers the response, and its exit status is 8")
  func strict() async throws {
    let program = try await TestProgram.loggedIn(["pinPolicy": "report"])
    program.transport.respond("https://api.test/v1/me", .json("1"))
    program.transport.respond("https://api.test/v1/no", .status(500, "no"))
    program.reportsPins = true
    let plain = try await program.run("fetch", "/me", "-q")
    #expect(plain.status == .status(.success))
    #expect(plain.output == "1")
    let strict = try await program.run("fetch", "/me", "-q", "--strict-pins", "-w", "%{exitcode}")
    #expect(strict.status == .status(.pin))
    #expect(strict.output == "18")
    #expect(
      strict.errors.hasSuffix(
        """
        sdkctl: error: could not protect the request with pins: api.test has not shown a pinned \
        key, and the policy is to report
        sdkctl: hint: sdkctl -p work pin check api.test

        """), "\(strict)")
    let failed = try await program.run("fetch", "/no", "-q", "--strict-pins")
    #expect(failed.status == .status(.pin))
    #expect(failed.errors.contains(": the server returned 500\n"), "\(failed)")
    let batch = try await program.run(
      "fetch", "-q", "--strict-pins", "--batch", "-", input: #"{"path":"/me"}"#)
    #expect(batch.status == .status(.pin))
    #expect(batch.output.contains(#""body":1"#), "\(batch)")
    program.reportsPins = false
    let matched = try await program.run("fetch", "/me", "-q", "--strict-pins")
    expect(matched, .success, output: "1")
  }

  @Test("fetch --strict-pins does not replace a failure of pins")
  func strictAfterPins() throws {
    let hosts = UnpinnedHosts()
    hosts.note("api.test")
    let mismatch = Failure(.pin, "no pinned key")
    #expect(hosts.failure(try ProfileName("work"), insteadOf: mismatch) == mismatch)
  }

  /// A client that the server lets change itself, and a user whose token has expired.
  private static func program(_ line: Line) async throws -> TestProgram {
    let settings = line.settings.merging(["pinPolicy": "report"]) { $1 }
    guard line.isRegistered else { return try TestProgram(settings) }
    let program = try await TestProgram.loggedIn(
      settings, lifetime: -1,
      client: [
        "registration_client_uri": "https://id.test/register/app",
        "registration_access_token": "rat-1",
      ])
    program.transport.respond(
      FakeServer.metadataURL,
      .json(
        FakeServer.metadata(
          with: #""introspection_endpoint":"https://id.test/introspect""#)))
    return program
  }
}
