import Arguments
import TestSupport

@testable import Sandbox

@Suite("The command line of the sandbox")
struct CommandLineTests {
  static func usage(_ words: [String]) -> String? {
    if case .usage(let error) = commandTable.read(words).outcome { error.message } else { nil }
  }

  @Test("the table keeps its own rules")
  func table() { #expect(TableCheck.problems(in: commandTable) == []) }

  @Test("the manual is committed as the table makes it")
  func manual() async throws {
    let fresh = try TemporaryFolder()
    let context = Context(globals: Globals(), environment: Environment(), words: [])
    try await Generate.run(Generate.Arguments(directory: fresh.path), in: context)
    #expect(try Repository.stale("man/sandbox", beside: fresh.path) == [], "run 'make docs'")
  }

  @Test(
    "mistakes name what is wrong",
    arguments: [
      (
        ["start", "--port", "70000"],
        "invalid value '70000' for '--port': not a number from 0 to 65535"
      ),
      (["start", "--trust", "x"], "invalid value 'x' for '--trust': expected ISSUER=FILE"),
      (["fault", "flood"], "invalid FAULT 'flood': 'sdkctl-sandbox fault list' lists the faults"),
      (["certificate", "a b"], "invalid NAME 'a b': not 1 to 63 letters, digits, dots or dashes"),
      (["stop", "x"], "unexpected operand 'x'"),
    ])
  func mistakes(words: [String], message: String) { #expect(Self.usage(words) == message) }

  @Test("an option of the UAF server has a name and a value", arguments: ["late", "moon=1"])
  func fido(order: String) { #expect(Self.usage(["fido", order]) != nil) }

  @Test("the hint on a port that is taken is the same command line on free ports")
  func freePort() {
    let words = ["start", "--port", "1", "--mtls-port=2", "--dir", "a b", "--closed"]
    #expect(Start.onFreePort(words) == "sdkctl-sandbox start --dir 'a b' --closed --port 0")
  }
}
