import TestSupport
import Testing

@testable import Commands

@Suite("profile add for a shared store")
struct ProfileAddSharedTests {
  @Test(
    "of a shared store takes no setting, and needs the key of the store",
    arguments: [
      ["--issuer", "https://id.test"], ["--preset", "google"], ["--insecure-loopback"], ["--pin"],
      [],
    ])
  func shared(words: [String]) async throws {
    let program = try TestProgram()
    let run = try await program.run(
      ["profile", "add", "lab", "--store", "etcd:https://etcd.test:2379/sdkctl"] + words)
    #expect(run.status == .status(.usage))
    let cause =
      words.isEmpty
      ? "--store-key-file is missing" : "a profile of a shared store has its settings there"
    #expect(run.errors.hasPrefix("sdkctl: error: \(cause)\n"), "\(run)")
    #expect(program.transport.sent.isEmpty)
  }
}
