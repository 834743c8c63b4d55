import CoreTestSupport

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
