import CoreTestSupport
import SDKCore

@testable import Commands

@Suite("pin check")
struct PinCheckTests {
  /// A profile with a pin for each host that has one of these keys.
  static func program(_ pins: [String: String]) async throws -> TestProgram {
    let program = try TestProgram([:])
    for (host, key) in pins.sorted(by: { $0.key < $1.key }) {
      _ = try await program.run("pin", "add", "\(TestChain.pin(key))", "--host", host)
    }
    return program
  }

  /// The line of a host whose chain of `TestChain` has this pinned key.
  static func line(
    _ place: String, _ status: String, _ key: String, _ role: String = "leaf", ends: String? = nil
  ) -> String {
    "\(place)\t\(status)\t\(TestChain.pin(key))\t\(role)\t"
      + "\(TestProgram.now + 86400)\t\(ends ?? "-")\t-\n"
  }

  @Test("fails with 8 for the hosts of a profile without pins, and with 2 if it names none")
  func nothing() async throws {
    let program = try TestProgram([:])
    let lines = "id.test\tUNPINNED\t-\t-\t-\t-\t-\napi.test\tUNPINNED\t-\t-\t-\t-\t-\n"
    expect(try await program.run("pin", "check", "-q"), .pin, output: lines)
    #expect(try await program.run("pin", "check", "--json").json?.array?.count == 2)
    expect(
      try await TestProgram.withOther().run("pin", "check", "-p", "other"), .usage,
      errors: """
        sdkctl: no host is pinned
        sdkctl: error: could not check the pins: there is no host to check
        sdkctl: hint: sdkctl -p other pin add HOST

        """)
  }

  @Test("says that it does not check direct subdomains and proxies")
  func unchecked() async throws {
    let program = try await Self.program(["api.test": "issuing", "*.test.example": "issuing"])
    _ = try await program.run(
      "pin", "add", "\(TestChain.pin("proxy"))", "--host", "proxy.test", "--proxy")
    program.trust("api.test")
    expect(
      try await program.run("pin", "check", "--within", "12h"), .success,
      output: Self.line("api.test", "OK", "issuing")
        + "*.test.example\tNOT-CHECKED\t-\t-\t-\t-\t-\nproxy proxy.test\tNOT-CHECKED\t-\t-\t-\t-\t-\n",
      errors: """
        sdkctl: *.test.example: no host of it is known: name one
        sdkctl: proxy proxy.test: each connection through it is checked

        """)
    let rows = try await program.run("pin", "check", "--within", "12h", "--json").json
    #expect(rows?.array?.map { $0["status"] } == ["OK", "NOT-CHECKED", "NOT-CHECKED"])
    #expect(rows?.array?[1]["host"] == "*.test.example" && rows?.array?[1]["port"] == .null)
    let report = try await program.run("pin", "check", "--within", "12h", "-q", "--junit", "-")
    #expect(report.output.contains(#"tests="3" failures="0" errors="0" skipped="2""#))
    #expect(report.output.contains(#"<skipped message="no host of it is known: name one"/>"#))
  }

  @Test("--problems prints only what is not OK, and a summary of all")
  func problems() async throws {
    let program = try await Self.program(["api.test": "issuing", "b.test": "x"])
    program.trust("api.test", "b.test")
    let run = try await program.run("pin", "check", "--within", "12h", "--problems")
    #expect(run.status == .status(.pin))
    #expect(run.output == "b.test\tMISMATCH\t-\t-\t-\t-\t-\n")
    #expect(run.errors.hasSuffix("sdkctl: 2 hosts: 1 OK, 1 MISMATCH\n"))
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let host: String
    let status: String
    let exit: ExitCode
    let message: String
    var chain: Result<PresentedChain, TransportError> = .success(.trusted("api.test"))
    var testDescription: String { status }
  }

  @Test(
    "exits with 8 if requests are refused, 11 for other findings, 6 if a host cannot be reached",
    arguments: [
      Row(
        host: "api.test", status: "MISMATCH", exit: .pin,
        message: "no key of its chain is pinned"),
      Row(host: "x.test", status: "UNPINNED", exit: .pin, message: "it has no pins"),
      Row(
        host: "old.test", status: "EXPIRED", exit: .pin,
        message: "its pins have expired"),
      Row(
        host: "api.test", status: "UNTRUSTED", exit: .verification,
        message: "self-signed certificate", chain: .success(.untrusted("api.test"))),
      Row(
        host: "api.test", status: "UNREACHABLE", exit: .network,
        message: "could not see the certificates of api.test:443: refused",
        chain: .failure(TransportError(.connection, "refused"))),
    ])
  func bad(row: Row) async throws {
    let program = try await Self.program(["api.test": "other"])
    _ = try await program.run(
      "pin", "add", "\(TestChain.pin("o"))", "--host", "old.test", "--expires", "2027-01-01")
    program.show(row.chain, at: "\(row.host):443")
    let run = try await program.run("pin", "check", row.host)
    #expect(run.status == .status(row.exit))
    #expect(run.output.hasPrefix("\(row.host)\t\(row.status)\t-\t-\t-\t"))
    let lines = run.errors.split(separator: "\n").map(String.init)
    #expect(lines.first == "sdkctl: \(row.host): \(row.message)")
    // A mismatch lists both sides; nothing else has details.
    #expect((lines.count > 1) == (row.status == "MISMATCH"))
    #expect(!run.errors.contains("error:"))
  }

  @Test("the worst finding decides: 8 before 11 before 6")
  func mixed() async throws {
    let program = try await Self.program(["api.test": "issuing", "id.test": "x"])
    program.trust("api.test")
    let run = try await program.run("pin", "check", "-q")
    #expect(run.status == .status(.verification))
    #expect(
      run.output == Self.line("api.test", "WILL-EXPIRE", "issuing")
        + "id.test\tUNREACHABLE\t-\t-\t-\t-\t-\n")
    program.trust("id.test")
    #expect(try await program.run("pin", "check", "-q").status == .status(.pin))
  }

  @Test("reads a list of hosts, with pins of its own, from standard input")
  func list() async throws {
    let program = try await Self.program(["api.test": "other", "id.test": "issuing"])
    program.trust("api.test", "id.test")
    let run = try await program.run(
      "pin", "check", "@-", "--within", "0",
      input: """
        # team hosts

        api.test \(TestChain.pin("x")), \(TestChain.pin("issuing"))  # two pins
        https://id.test/path
        """)
    expect(
      run, .success,
      output: Self.line("api.test", "OK", "issuing") + Self.line("id.test", "OK", "issuing"))
    for (line, place, message) in [
      ("a/b", "line 1", "'a/b' is not a host name"), ("\nx.test y", "line 2", "'y' is not a pin"),
    ] {
      let run = try await program.run(
        "pin", "check", "@-", "--within", "0", input: line + "\nid.test")
      expect(
        run, .usage,
        output: Self.line("id.test", "OK", "issuing") + "\(place)\tINVALID\t-\t-\t-\t-\t-\n",
        errors: "sdkctl: \(place): \(message)\n")
      #expect(
        try await program.run("pin", "plan", "@-", input: line).errors.contains(
          "error: \(place): \(message)"))
    }
  }

  @Test("--junit writes a report in which a mismatch fails and an unreachable host is an error")
  func junit() async throws {
    let program = try await Self.program(["api.test": "issuing", "b.test": "<x>", "c.test": "x"])
    program.trust("api.test", "b.test")
    let file = program.folder.file("pins.xml")
    let run = try await program.run("pin", "check", "--within", "0", "--junit", file)
    #expect(run.status == .status(.pin))
    #expect(run.output.split(separator: "\n").count == 3)
    let report = try program.folder.text(of: "pins.xml")
    #expect(report.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites "))
    #expect(report.contains(#"tests="3" failures="1" errors="1" skipped="0""#))
    #expect(report.contains(#"<testcase classname="pins.work" name="api.test"/>"#))
    #expect(report.contains(#"<failure type="MISMATCH" message="no key of its chain is pinned">"#))
    #expect(report.contains(#"<error type="UNREACHABLE" message="could not see"#))
    let shown = try await program.run("pin", "check", "-q", "--within", "0", "--junit", "-")
    #expect(shown.output.hasPrefix("<?xml"))
    #expect(!shown.output.contains("\t"))
  }

  @Test("--json prints an array with the chain of each host")
  func json() async throws {
    let program = try await Self.program(["api.test": "issuing"])
    program.trust("api.test")
    let run = try await program.run("pin", "check", "--json", "--within", "0")
    #expect(run.status == .status(.success))
    #expect(run.errors == "")
    func key(_ name: String, _ role: String) -> JSON {
      [
        "pin": .string("\(TestChain.pin(name))"), "role": .string(role),
        "subject": .string("CN=\(name)"),
        "notBefore": .string("\(TestProgram.now - 86400)"),
        "expires": .string("\(TestProgram.now + 86400)"),
      ]
    }
    #expect(
      run.json == [
        [
          "host": "api.test", "port": 443, "address": .null, "status": "OK",
          "matched": .string("\(TestChain.pin("issuing"))"), "role": "leaf",
          "certificateExpires": .string("\(TestProgram.now + 86400)"), "pinsExpire": .null,
          "message": .null, "revocation": .null, "pinned": [],
          "chain": [
            key("api.test leaf", "leaf"), key("issuing", "intermediate"), key("root", "root"),
          ],
        ]
      ])
  }

  @Test("looks at a host where the profile uses it, unless a port is named")
  func ports() async throws {
    let program = try TestProgram(["resourceURL": "https://api.test:8443/v1"])
    _ = try await program.run("pin", "add", "\(TestChain.pin("issuing"))", "--host", "api.test")
    program.show(.success(.trusted("api.test")), at: "api.test:8443")
    program.show(.success(.untrusted("api.test")), at: "api.test:443")
    let matching = Self.line("api.test:8443", "OK", "issuing")
    let untrusted = "api.test\tUNTRUSTED\t-\t-\t-\t-\t-\n"
    for (words, line, exit) in [
      ([], matching, .success), (["api.test"], matching, .success),
      (["api.test:443"], untrusted, .verification),
      (["https://api.test/x"], untrusted, .verification),
    ] as [([String], String, ExitCode)] {
      let run = try await program.run(["pin", "check", "-q", "--within", "0"] + words)
      expect(run, exit, output: line)
    }
  }
}
