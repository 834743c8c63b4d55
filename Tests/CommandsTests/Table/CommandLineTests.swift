import Arguments
import CoreTestSupport

@testable import Commands

@Suite("Command lines")
struct CommandLineTests {
  @Test("come from a table that keeps the rules of tables")
  func table() {
    #expect(TableCheck.problems(in: commandTable) == [])
  }

  @Test(
    "are read as help, version or another program",
    arguments: [
      (["--help"], "help [] long"), (["-h"], "help [] short"), (["--version"], "version"),
      (["fetch", "-h"], "help [\"fetch\"] short"),
      (["pin", "add", "--nope", "--help"], "help [\"pin\", \"add\"] long"),
      (["-p", "a", "sandbox", "start", "--x"], "external sandbox"),
    ])
  func others(words: [String], outcome: String) {
    let text =
      switch commandTable.read(words).outcome {
      case .run(let invocation): "run \(invocation.path)"
      case .help(let path, let length): "help \(path) \(length)"
      case .version: "version"
      case .external(let external): "external \(external.name)"
      case .usage(let error): "usage \(error.message)"
      case .failed(let error): "failed \(error)"
      }
    #expect(text == outcome)
  }
}
