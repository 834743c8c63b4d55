import CoreTestSupport

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
