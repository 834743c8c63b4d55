import CoreTestSupport

@testable import Commands
@testable import SDKCore

@Suite("pin import")
struct PinImportTests {
  @Test("refuses to write over pins that were changed while a person was asked")
  func changed() async throws {
    let program = try TestProgram([:])
    let pin = "\(TestChain.pin("a"))"
    _ = try await program.run(
      "pin", "add", pin, "--host", "**.api.test", "--policy", "enforce", "--no-backup")
    let store = PinStore(program.store.location, program.name)
    program.terminal.connect(.input, .errors)
    program.terminal.onPrompt { _ in
      try? store.save(PinSets())
      return "y"
    }
    // The wider set has gone, so that the new one would not be compared with what it replaces.
    let run = try await program.run(
      "pin", "import", "-",
      input: #"{"version":1,"hosts":{"x.api.test":{"comment":"x","keys":[{"pin":"\#(pin)"}]}}}"#)
    #expect(run.status == .status(.configuration))
    #expect(run.errors.contains("they were changed meanwhile"), "\(run)")
    #expect(try program.pinSets().isEmpty)
  }
}
