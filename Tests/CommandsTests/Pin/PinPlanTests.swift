import JSON
import Pinning
import Primitives
import TestSupport
import Testing

@testable import Commands
@testable import SDKCore

@Suite("pin plan")
struct PinPlanTests {
  private static let end = TestProgram.now + 86400

  private static func line(
    _ action: String, _ time: Timestamp?, _ key: String?, _ role: String, _ reason: String
  ) -> String {
    let pin = key.map { "\(TestChain.pin($0))" } ?? "-"
    return "api.test\t\(action)\t\(time?.description ?? "-")\t\(pin)\t\(role)\t\(reason)\n"
  }

  private static func add(_ program: TestProgram, _ key: String, _ role: String) async throws {
    _ = try await program.run(
      "pin", "add", "\(TestChain.pin(key))", "--host", "api.test", "--role", role)
  }

  @Test("keeps what is in use and the backup, and says when a new key is needed")
  func steady() async throws {
    let program = try TestProgram([:])
    try await Self.add(program, "issuing", "intermediate")
    try await Self.add(program, "next", "backup")
    program.trust("api.test")
    let kept =
      Self.line("keep", Self.end, "issuing", "intermediate", "in use until its certificate ends")
      + Self.line("keep", nil, "next", "backup", "for the next rotation")
    expect(try await program.run("pin", "plan", "--within", "1h"), .success, output: kept)
    expect(
      try await program.run("pin", "plan"), .success,
      output: Self.line(
        "add", Self.end, nil, "-",
        "the last certificate with a pinned key ends: if the next one has a new key, pin that key "
          + "before") + kept)
  }

  @Test("asks for a backup key, and for a later end of the pins")
  func gaps() async throws {
    let program = try TestProgram([:])
    _ = try await program.run(
      "pin", "add", "\(TestChain.pin("issuing"))", "--host", "api.test", "--expires",
      "2027-06-01T00:00:00Z")
    program.trust("api.test")
    let run = try await program.run("pin", "plan", "--within", "1h")
    #expect(
      run.output
        == Self.line(
          "add", TestProgram.now, nil, "-",
          "there is no backup key outside the chain: make one and pin it")
        + Self.line(
          "extend", Timestamp("2027-06-01T00:00:00Z"), nil, "-",
          "the pins end, and the host is refused from then on")
        + Self.line("keep", Self.end, "issuing", "leaf", "in use until its certificate ends"))
  }

  @Test("removes a key when the last certificate that was seen with it has expired")
  func removal() async throws {
    let program = try TestProgram([:])
    for key in ["api.test leaf", "never"] { try await Self.add(program, key, "leaf") }
    try await Self.add(program, "new leaf", "backup")
    program.trust("api.test")
    _ = try await program.run("pin", "check", "-q")
    program.show(.success(.trusted("api.test", leaf: "new leaf")), at: "api.test:443")
    var run = try await program.run("pin", "plan", "--within", "1h")
    #expect(
      run.output
        == Self.line(
          "add", TestProgram.now, "new leaf", "leaf",
          "the backup key is in use: pin it with its role")
        + Self.line(
          "add", TestProgram.now, nil, "-",
          "there is no backup key outside the chain: make one and pin it")
        + Self.line("keep", Self.end, "new leaf", "backup", "in use until its certificate ends")
        + Self.line(
          "remove", Self.end, "api.test leaf", "leaf",
          "last seen on 2027-01-15; its certificate could come back until then")
        + Self.line(
          "remove", nil, "never", "leaf",
          "never seen here: remove it when no server has it, or pin it with --role backup"))
    program.now = Self.end + 1
    run = try await program.run("pin", "plan", "--within", "0")
    #expect(
      run.output.contains(
        Self.line(
          "remove", Self.end + 1, "api.test leaf", "leaf",
          "last seen on 2027-01-15; its certificate has ended")))
  }

  @Test("fails with 8 for the hosts of a profile without pins, and with 2 if it names none")
  func nothing() async throws {
    let run = try await TestProgram([:]).run("pin", "plan")
    #expect(run.status == .status(.pin))
    #expect(
      run.output.contains(
        Self.line("repair", TestProgram.now, nil, "-", "it has no pins")), "\(run)")
    let other = try await TestProgram.withOther().run("pin", "plan", "-p", "other")
    #expect(other.status == .status(.usage))
  }

  @Test("names what prevents a check, and the key that a refused server shows")
  func repair() async throws {
    let program = try TestProgram([:])
    try await Self.add(program, "old", "leaf")
    program.show(.success(.untrusted("api.test")), at: "api.test:443")
    var run = try await program.run("pin", "plan")
    #expect(
      run.output == Self.line("repair", TestProgram.now, nil, "-", "self-signed certificate"))
    program.trust("api.test")
    run = try await program.run("pin", "plan", "--json")
    let first = run.json?.array?.first?["steps"]?.array?.first
    #expect(first?["action"] == "add")
    #expect(first?["pin"] == .string("\(TestChain.pin("api.test leaf"))"))
  }
}
