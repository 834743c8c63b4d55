import JSON
import Pinning
import Primitives
import TestSupport
import Testing

@testable import Commands
@testable import SDKCore

@Suite("pin lint")
struct PinLintTests {
  private static let file = "store/config/profiles/work/pins.json"

  private static func key(
    _ name: String, _ role: String = "intermediate", _ more: String = ""
  ) -> String {
    #"{"pin":"\#(TestChain.pin(name))","role":"\#(role)"\#(more)}"#
  }

  private static func program(_ hosts: String) throws -> TestProgram {
    let program = try TestProgram([:])
    try program.folder.write(
      #"{"version":1,"hosts":{\#(hosts)}}"#, to: file, mode: 0o644)
    return program
  }

  private static let reported =
    "mismatches are only reported: requests with tokens go to servers without a pinned key"

  struct Row: Sendable, CustomTestStringConvertible {
    let problem: String
    let severity: String
    let hosts: String
    var host = "api.test"
    var pin: String?
    let text: String
    var testDescription: String { problem }
  }

  private static let two = "\(key("a")),\(key("b"))"

  @Test(
    "names each problem with its severity; an error ends with 11, a warning only with --strict",
    arguments: [
      Row(
        problem: "malformed", severity: "error",
        hosts: #""api.test":{"keys":[{"pin":"x"},\#(key("b"))]}"#,
        text: "'hosts.api.test.keys[0].pin' is not a SHA-256 pin"),
      Row(
        problem: "public-suffix", severity: "error",
        hosts: #""*.co.uk":{"keys":[\#(two)]}"#, host: "*.co.uk",
        text: "'hosts.*.co.uk' includes the subdomains of a public suffix"),
      Row(
        problem: "expired", severity: "error",
        hosts: #""api.test":{"expires":"2027-01-15T08:00:00Z","keys":[\#(two)]}"#,
        text: "the pins expired on 2027-01-15: the host is refused"),
      Row(
        problem: "expires-soon", severity: "warning",
        hosts: #""api.test":{"expires":"2027-02-10T00:00:00Z","keys":[\#(two)]}"#,
        text: "the pins expire on 2027-02-10"),
      Row(
        problem: "no-backup", severity: "error", hosts: #""api.test":{"keys":[\#(key("a"))]}"#,
        pin: "a",
        text: "there is no second key: when this one is lost or replaced, the host is refused"),
      Row(
        problem: "not-enforced", severity: "warning",
        hosts: #""api.test":{"policy":"report","keys":[\#(two)]}"#, text: reported),
      Row(
        problem: "short-lived-leaf", severity: "warning",
        hosts: #""api.test":{"keys":[\#(key("b", "backup")),"#
          + key("a", "leaf", #","added":"2027-01-01","notAfter":"2027-03-01""#) + "]}",
        pin: "a",
        text:
          "only leaf keys are pinned, and the certificate of this one ends on 2027-03-01, within 100 days of its pinning: "
          + "pin an authority too, or make sure that renewals keep the key"),
      Row(
        problem: "weak-key", severity: "warning",
        hosts: #""api.test":{"keys":[\#(key("b")),"#
          + key("a", "root", #","keyType":"RSA 1024 bits""#) + "]}",
        pin: "a", text: "the key is RSA 1024 bits: 2048 bits are the minimum"),
      Row(
        problem: "duplicate", severity: "warning",
        hosts: #""api.test":{"keys":[\#(two),\#(key("a"))]}"#, pin: "a",
        text: "the pin appears twice"),
      Row(
        problem: "same-pins", severity: "warning",
        hosts: #""api.test":{"keys":[\#(two)]},"b.test":{"keys":[\#(key("b")),\#(key("a"))]}"#,
        host: "b.test",
        text: "the pins are those of api.test: change both, or use one pattern for them"),
    ])
  func problem(row: Row) async throws {
    let program = try Self.program(row.hosts)
    let pin = row.pin.map { "\(TestChain.pin($0))" } ?? "-"
    let line = [row.host, row.severity, row.problem, pin, row.text].joined(separator: "\t") + "\n"
    expect(
      try await program.run("pin", "lint"), row.severity == "error" ? .verification : .success,
      output: line)
    expect(try await program.run("pin", "lint", "--strict"), .verification, output: line)
    let json = try await program.run("pin", "lint", "--json").json
    #expect(
      json == [
        [
          "host": .string(row.host), "severity": .string(row.severity),
          "problem": .string(row.problem), "message": .string(row.text),
          "pin": row.pin.map { .string("\(TestChain.pin($0))") } ?? .null,
        ]
      ])
  }

  @Test("finds all problems of a file at once, and needs no network")
  func several() async throws {
    let program = try Self.program(
      #""a.test":{"keys":"x"},"b.test":{"keys":[\#(Self.key("a"))]},"c.test":{"keys":[]}"#)
    program.removeNetwork()
    let run = try await program.run("pin", "lint")
    #expect(run.output.split(separator: "\n").count == 3)
    #expect(run.errors == "")
  }

  @Test("reports a document that is not JSON as malformed")
  func damaged() async throws {
    let program = try await PinListTests.program()
    try program.folder.write("{", to: "store/config/profiles/work/pins.json")
    let run = try await program.run("pin", "lint")
    #expect(run.status == .status(.verification))
    #expect(run.output.hasPrefix("pins.json\terror\tmalformed\t-\t"), "\(run)")
  }

  @Test("prints nothing if all is well, and --within decides what is soon")
  func well() async throws {
    let program = try Self.program(
      #""api.test":{"expires":"2027-02-10T00:00:00Z","keys":[\#(Self.two)]}"#)
    expect(try await program.run("pin", "lint", "--within", "7d"), .success)
  }

  @Test("marks a profile whose policy is to report, and its sets that have none of their own")
  func reports() async throws {
    let program = try Self.program(
      #""api.test":{"keys":[\#(Self.key("a"))]},"b.test":{"policy":"enforce","keys":[\#(Self.key("b")),\#(Self.key("c"))]}"#
    )
    _ = try await program.run("profile", "set", "pinPolicy=report")
    let run = try await program.run("pin", "lint")
    expect(
      run, .success,
      output: "pinPolicy\twarning\tnot-enforced\t-\tno host is refused: requests with tokens go to "
        + "servers without a pinned key\n"
        + "api.test\twarning\tno-backup\t\(TestChain.pin("a"))\tthere is no second key: when this "
        + "one is lost or replaced, the host is refused\n")
    #expect(try await program.run("pin", "lint", "--strict").status == .status(.verification))
  }

  @Test(
    "fails with 8 for the hosts of a profile without pins, and with 2 if it names none",
    arguments: ["enforce", "report"])
  func nothing(policy: String) async throws {
    let program = try await TestProgram.withOther()
    for name in ["work", "other"] {
      _ = try await program.run("profile", "set", "-p", name, "pinPolicy=\(policy)")
    }
    let run = try await program.run("pin", "lint")
    #expect(run.status == .status(.pin))
    #expect(
      run.output.hasSuffix(
        "id.test\terror\tunpinned\t-\tit has no pins\napi.test\terror\tunpinned\t-\tit has no pins\n"
      ))
    let other = try await program.run("pin", "lint", "-p", "other")
    expect(
      other, .usage,
      errors: """
        sdkctl: error: could not check the pins: no host is pinned
        sdkctl: hint: sdkctl -p other pin add HOST

        """)
  }
}
