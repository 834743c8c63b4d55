import CoreTestSupport

@testable import Commands
@testable import SDKCore

@Suite("pin history")
struct PinHistoryTests {
  private static let file = "store/state/profiles/work/pin-history.json"

  private static func line(
    _ key: String, _ role: String, _ first: Timestamp, _ last: Timestamp, _ pinned: String = "-"
  ) -> String {
    [
      "api.test", "\(TestChain.pin(key))", role, "\(first)", "\(last)",
      "\(TestProgram.now + 86400)", pinned, "CN=\(key)",
    ].joined(separator: "\t") + "\n"
  }

  @Test("lists when a check saw each key of a host first and last, the latest first")
  func times() async throws {
    let program = try TestProgram([:])
    _ = try await program.run("pin", "add", "\(TestChain.pin("issuing"))", "--host", "api.test")
    expect(
      try await program.run("pin", "history"), .success,
      errors: "sdkctl: no key was seen yet; run `sdkctl pin check`\n")
    program.trust("api.test")
    _ = try await program.run("pin", "check", "-q")
    let (start, later) = (TestProgram.now, TestProgram.now + 3600)
    program.now = later
    program.show(.success(.trusted("api.test", leaf: "new leaf")), at: "api.test:443")
    _ = try await program.run("pin", "check", "-q")
    expect(
      try await program.run("pin", "history", "api.test"), .success,
      output: Self.line("new leaf", "leaf", later, later)
        + Self.line("issuing", "intermediate", start, later, "pinned")
        + Self.line("root", "root", start, later)
        + Self.line("api.test leaf", "leaf", start, start))
    #expect(try await program.run("pin", "history", "other.test").output == "")
    let json = try await program.run("pin", "history", "--json").json
    #expect(json?.array?.count == 4)
    #expect(json?.array?[1]["pinned"] == true)
  }

  @Test(
    "of a port has what that port has shown, and no other",
    arguments: [
      ("api.test", ["443", "8443"]), ("https://api.test", ["443", "8443"]),
      ("api.test:8443", ["8443"]), ("https://api.test:8443/", ["8443"]),
      ("https://api.test:443/", ["443"]),
    ] as [(String, Set<String>)])
  func port(place: String, ports: Set<String>) async throws {
    let program = try TestProgram([:])
    for port in ["443", "8443"] {
      let host = "api.test:\(port)"
      _ = try await program.run("pin", "add", "\(TestChain.pin("issuing"))", "--host", host)
      program.show(.success(.trusted("api.test", leaf: port)), at: host)
    }
    _ = try await program.run("pin", "check", "-q")
    let json = try await program.run("pin", "history", "--json", place).json
    #expect(Set((json?.array ?? []).compactMap { $0["port"]?.serialized() }) == ports)
  }

  @Test("a chain that is not trusted leaves no trace")
  func untrusted() async throws {
    let program = try TestProgram([:])
    _ = try await program.run("pin", "add", "\(TestChain.pin("issuing"))", "--host", "api.test")
    program.show(.success(.untrusted("api.test")), at: "api.test:443")
    _ = try await program.run("pin", "check", "-q")
    #expect(!program.folder.exists(Self.file))
  }
}
