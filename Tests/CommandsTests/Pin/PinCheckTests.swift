import HTTP
import JSON
import Pinning
import SDKCore
import TestSupport
import Testing

@testable import Commands

@Suite("pin check")
struct PinCheckTests {
  /// A profile with a pin for each host that has one of these keys.
  private static func program(_ pins: [String: String]) async throws -> TestProgram {
    let program = try TestProgram([:])
    for (host, key) in pins.sorted(by: { $0.key < $1.key }) {
      _ = try await program.run("pin", "add", "\(TestChain.pin(key))", "--host", host)
    }
    return program
  }

  @Test("prints host, result and the pin that matched, and succeeds if all match")
  func match() async throws {
    let program = try await Self.program(["api.test": "issuing", "id.test": "id.test leaf"])
    for host in ["api.test", "id.test"] {
      program.show(.success(.trusted(host)), at: "\(host):443")
    }
    expect(
      try await program.run("pin", "check"), .success,
      output: """
        api.test\tmatch\t\(TestChain.pin("issuing"))
        id.test\tmatch\t\(TestChain.pin("id.test leaf"))

        """)
    #expect(program.transport.sent.isEmpty)
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
    "exits with 11 if a host shows no pinned key, with 6 if it cannot be reached",
    arguments: [
      Row(
        host: "api.test", status: "mismatch", exit: .verification,
        message: "no key of its chain is pinned"),
      Row(host: "x.test", status: "unpinned", exit: .verification, message: "it has no pins"),
      Row(
        host: "old.test", status: "expired", exit: .verification,
        message: "its pins have expired"),
      Row(
        host: "api.test", status: "untrusted", exit: .verification,
        message: "self-signed certificate", chain: .success(.untrusted("api.test"))),
      Row(
        host: "api.test", status: "unreachable", exit: .network,
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
    #expect(run.output == "\(row.host)\t\(row.status)\t-\n")
    let lines = run.errors.split(separator: "\n").map(String.init)
    #expect(lines.first == "sdkctl: \(row.host): \(row.message)")
    // A mismatch lists both sides; nothing else has details.
    #expect((lines.count > 1) == (row.status == "mismatch"))
    #expect(!run.errors.contains("error:"))
  }

  @Test("exits with 11 if one host mismatches while another cannot be reached")
  func mixed() async throws {
    let program = try await Self.program(["api.test": "other", "id.test": "x"])
    program.show(.success(.trusted("api.test")), at: "api.test:443")
    let run = try await program.run("pin", "check", "-q")
    expect(run, .verification, output: "api.test\tmismatch\t-\nid.test\tunreachable\t-\n")
  }

  @Test("--json prints an array with the chain of each host")
  func json() async throws {
    let program = try await Self.program(["api.test": "issuing"])
    program.show(.success(.trusted("api.test")), at: "api.test:443")
    let run = try await program.run("pin", "check", "--json")
    #expect(run.status == .status(.success))
    #expect(run.errors == "")
    func key(_ name: String, _ role: String) -> JSON {
      [
        "pin": .string("\(TestChain.pin(name))"), "role": .string(role),
        "subject": .string("CN=\(name)"),
      ]
    }
    #expect(
      run.json == [
        [
          "host": "api.test", "port": 443, "status": "match",
          "matched": .string("\(TestChain.pin("issuing"))"), "message": nil,
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
    for (words, line, exit) in [
      ([], "api.test:8443\tmatch\t\(TestChain.pin("issuing"))\n", .success),
      (["api.test"], "api.test:8443\tmatch\t\(TestChain.pin("issuing"))\n", .success),
      (["api.test:443"], "api.test\tuntrusted\t-\n", .verification),
      (["https://api.test/x"], "api.test\tuntrusted\t-\n", .verification),
    ] as [([String], String, ExitCode)] {
      let run = try await program.run(["pin", "check", "-q"] + words)
      expect(run, exit, output: line)
    }
  }

  @Test("refuses what is not a host")
  func noHost() async throws {
    let run = try await Self.program([:]).run("pin", "check", "a b")
    #expect(run.status == .status(.usage))
  }
}
