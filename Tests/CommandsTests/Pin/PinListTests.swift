import CoreTestSupport

@testable import Commands

@Suite("pin list and show")
struct PinListTests {
  /// Two pins for api.test and its subdomains, one of id.test that has expired.
  static func program() async throws -> TestProgram {
    let program = try TestProgram([:])
    let (a, b, c) = (TestChain.pin("a"), TestChain.pin("b"), TestChain.pin("c"))
    for words in [
      ["\(a)", "--host", "api.test", "--subdomains"],
      ["\(b)", "--host", "api.test", "--role", "backup"],
      ["\(c)", "--host", "id.test", "--expires", "2027-01-01"],
    ] {
      let run = try await program.run(["pin", "add"] + words)
      #expect(run.status == .status(.success))
    }
    return program
  }

  private static let apiLines = """
    **.api.test\t\(TestChain.pin("a"))\tleaf\t-\t-
    **.api.test\t\(TestChain.pin("b"))\tbackup\t-\t-

    """
  @Test("shows an international name as its A-label, on a terminal with its U-labels beside it")
  func international() async throws {
    let program = try TestProgram([:])
    let pin = TestChain.pin("a")
    let run = try await program.run(
      "pin", "add", "\(pin)", "--host", "**.BÜCHER.test:8443", "--no-backup")
    #expect(run.status == .status(.success), "\(run)")
    #expect(run.errors.contains("for **.xn--bcher-kva.test:8443 (bücher.test)"), "\(run)")
    let line = "\t\(pin)\tleaf\t-\t-\n"
    expect(
      try await program.run("pin", "list"), .success, output: "**.xn--bcher-kva.test:8443" + line)
    program.terminal.connect(.output)
    let table = try await program.run("pin", "list")
    #expect(table.output.hasPrefix("HOST "), "\(table)")
    #expect(
      table.output.hasSuffix("\n**.xn--bcher-kva.test:8443 (bücher.test)  \(pin)  leaf\n"),
      "\(table)")
    let bad = try await program.run("pin", "add", "\(pin)", "--host", "\u{FF45}xample.test")
    #expect(bad.status == .status(.usage))
    #expect(bad.errors.contains("it looks like example.test, but is not"), "\(bad)")
  }

  @Test("list --json prints an array of hosts")
  func json() async throws {
    let run = try await Self.program().run("pin", "list", "--json")
    #expect(run.status == .status(.success))
    #expect(run.errors == "")
    func key(_ name: String, _ role: String) -> JSON {
      [
        "pin": .string("\(TestChain.pin(name))"), "role": .string(role), "label": .null,
        "added": "2027-01-15T08:00:00Z", "comment": .null, "origin": "value", "expires": .null,
        "keyType": .null,
      ]
    }
    #expect(
      run.json == [
        [
          "pattern": "**.api.test", "host": "api.test", "port": .null, "subdomains": "all",
          "includeSubdomains": true, "proxy": false, "expires": .null, "policy": .null,
          "comment": .null,
          "keys": [key("a", "leaf"), key("b", "backup")],
        ],
        [
          "pattern": "id.test", "host": "id.test", "port": .null, "subdomains": "none",
          "includeSubdomains": false, "proxy": false,
          "expires": "2027-01-02T00:00:00Z",
          "policy": .null, "comment": .null,
          "keys": [key("c", "leaf")],
        ],
      ])
  }

  @Test(
    "show --offline prints the pins that hold for the host, those of a parent domain included",
    arguments: ["api.test", "x.api.test", "https://api.test/path", "api.test:8443"])
  func show(host: String) async throws {
    let run = try await Self.program().run("pin", "show", host, "--offline")
    expect(run, .success, output: Self.apiLines)
  }
}
