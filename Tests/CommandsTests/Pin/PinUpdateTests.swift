import CoreTestSupport
import Glibc

@testable import Commands
@testable import SDKCore

@Suite("pin update")
struct PinUpdateTests {
  /// A profile with an old leaf, an intermediate and a backup for two hosts that rotated.
  static func program() async throws -> TestProgram {
    let program = try TestProgram([:])
    for host in ["api.test", "id.test"] {
      for (key, role) in [
        ("old \(host)", "leaf"), ("issuing", "intermediate"), ("next \(host)", "backup"),
      ] {
        _ = try await program.run(
          "pin", "add", "\(TestChain.pin(key))", "--host", host, "--role", role)
      }
    }
    program.trust("api.test", "id.test")
    return program
  }

  private static func roles(_ program: TestProgram, _ host: String) throws -> [String: PinRole] {
    let keys = try program.pinSets().first { $0.host == host }?.keys ?? []
    return Dictionary(keys.map { ($0.pin.base64, $0.role) }) { first, _ in first }
  }

  private static func pin(_ key: String) -> String { TestChain.pin(key).base64 }

  @Test(
    "shows the difference, asks, and adds the keys of the pinned roles; keys without a known end stay"
  )
  func adds() async throws {
    let program = try await Self.program()
    program.terminal.connect(.input, .errors)
    program.terminal.type("y")
    let run = try await program.run("pin", "update", "api.test")
    #expect(run.status == .status(.success))
    #expect(
      run.errors.hasPrefix(
        """
        sdkctl: api.test:
        sdkctl:   \(TestChain.pin("old api.test"))  leaf          -
        sdkctl:   \(TestChain.pin("issuing"))  intermediate  -
        sdkctl:   \(TestChain.pin("next api.test"))  backup        -
        sdkctl: + \(TestChain.pin("api.test leaf"))  leaf          CN=api.test leaf
        sdkctl:   policy: enforce
        sdkctl:   expires: never
        sdkctl:   subdomains: none

        """))
    #expect(program.terminal.prompts.contains { $0.contains("Update the pins of api.test?") })
    #expect(
      try Self.roles(program, "api.test") == [
        Self.pin("issuing"): .intermediate, Self.pin("next api.test"): .backup,
        Self.pin("api.test leaf"): .leaf, Self.pin("old api.test"): .leaf,
      ])
    let kept =
      "sdkctl: no server of api.test has \(TestChain.pin("old api.test")): it stays, because the end of its "
      + "certificate is not known; `sdkctl -p work pin remove api.test \(TestChain.pin("old api.test"))` "
      + "removes it now\n"
    #expect(run.errors.contains(kept), "\(run)")
    #expect(try Self.roles(program, "id.test")[Self.pin("old id.test")] == .leaf)
    let again = try await program.run("pin", "update", "api.test")
    expect(again, .success, errors: kept + "sdkctl: the pins are up to date\n")
  }

  @Test("follows the plan: a key that no server has stays until its certificate has ended")
  func followsPlan() async throws {
    let program = try TestProgram([:])
    program.trust("api.test")
    _ = try await program.run("pin", "add", "api.test", "--yes", "-q")
    program.show(.success(.trusted("api.test", leaf: "new leaf")), at: "api.test:443")
    let (old, new) = (Self.pin("api.test leaf"), Self.pin("new leaf"))
    var run = try await program.run("pin", "update", "--yes")
    #expect(run.errors.contains("it stays until its certificate ends on 2027-01-16"), "\(run)")
    #expect(!run.errors.contains("only one pin"))
    #expect(try Self.roles(program, "api.test") == [old: .leaf, new: .leaf])
    var plan = try await program.run("pin", "plan", "--within", "0")
    #expect(plan.output.contains("remove\t2027-01-16T08:00:00Z\tsha256/\(old)"), "\(plan)")
    program.now = program.now + 86_401
    plan = try await program.run("pin", "plan", "--within", "0")
    #expect(plan.output.contains("its certificate has ended"), "\(plan)")
    run = try await program.run("pin", "update", "--yes")
    #expect(try Self.roles(program, "api.test") == [new: .leaf])
    #expect(run.errors.contains("warning: api.test has only one pin"), "\(run)")
  }

  @Test("changes no pins that have expired: they need a new end")
  func expired() async throws {
    let program = try TestProgram([:])
    _ = try await program.run(
      "pin", "add", "\(TestChain.pin("old"))", "--host", "api.test", "--role", "leaf", "--expires",
      "2027-01-15T08:01:00Z")
    program.trust("api.test")
    program.now = program.now + 60
    let before = try program.pinSets()
    let run = try await program.run("pin", "update", "--yes", "--json")
    #expect(run.status == .status(.pin))
    #expect(run.jsonError?["code"] == "pins_expired")
    #expect(try program.pinSets() == before)
  }

  @Test("writes nothing if the person declines, or cannot be asked")
  func declined() async throws {
    let program = try await Self.program()
    let before = try program.pinSets()
    let run = try await program.run("pin", "update", "--json")
    #expect(run.status == .status(.usage) && run.output.isEmpty, "\(run)")
    program.terminal.connect(.input, .errors)
    program.terminal.type("n")
    #expect(try await program.run("pin", "update").status == .status(.declined))
    #expect(try program.pinSets() == before)
  }

  @Test("writes nothing for any host if one cannot be checked or is not trusted")
  func atomic() async throws {
    let program = try await Self.program()
    let before = try program.pinSets()
    program.show(.failure(TransportError(.connection, "refused")), at: "id.test:443")
    #expect(try await program.run("pin", "update", "--yes").status == .status(.network))
    program.show(.success(.untrusted("id.test")), at: "id.test:443")
    #expect(try await program.run("pin", "update", "--yes").status == .status(.tls))
    #expect(try program.pinSets() == before)
  }

  @Test("--role chooses other keys")
  func options() async throws {
    let program = try await Self.program()
    let run = try await program.run(
      "pin", "update", "--role", "leaf", "--role", "root", "--yes", "--json", "-q")
    #expect(run.status == .status(.success))
    #expect(run.json?.array?.count == 2)
    #expect(run.json?.array?.first?["removed"]?.array?.isEmpty == true)
    #expect(
      try Self.roles(program, "id.test") == [
        Self.pin("old id.test"): .leaf, Self.pin("issuing"): .intermediate,
        Self.pin("next id.test"): .backup, Self.pin("id.test leaf"): .leaf,
        Self.pin("root"): .root,
      ])
    #expect(try await program.run("pin", "update", "--role", "backup").status == .status(.usage))
  }

  @Test("gives a backup key that is in use its role")
  func promotes() async throws {
    let program = try await Self.program()
    program.show(.success(.trusted("api.test", leaf: "next api.test")), at: "api.test:443")
    _ = try await program.run("pin", "update", "api.test", "--yes")
    #expect(
      try Self.roles(program, "api.test") == [
        Self.pin("issuing"): .intermediate, Self.pin("next api.test"): .leaf,
        Self.pin("old api.test"): .leaf,
      ])
  }

  @Test("refuses to write over pins that were changed meanwhile")
  func changed() async throws {
    let program = try await Self.program()
    program.terminal.connect(.input, .errors)
    let store = PinStore(program.store.location, program.name)
    program.terminal.onPrompt { _ in
      try? store.save(PinSets())
      return "y"
    }
    let run = try await program.run("pin", "update")
    #expect(run.status == .status(.configuration))
    #expect(run.errors.contains("they were changed meanwhile"))
    #expect(try program.pinSets().isEmpty)
  }
}
