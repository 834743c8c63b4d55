import Arguments
import CoreTestSupport
import SDKCore

@testable import Commands

@Suite("Defaults of options")
struct PersonalDefaultsTests {
  private static func program(_ defaults: String) throws -> TestProgram {
    let program = try TestProgram([:])
    try program.folder.write(
      #"{"version": 1, "current": "work", "defaults": \#(defaults)}"#,
      to: "store/config/config.json")
    return program
  }

  @Test(
    "that no command has are refused with file and key",
    arguments: [
      (#"{"fetsh": {}}"#, "fetsh", "there is no such command", "fetch"),
      (
        #"{"fetch": {"interactiv": true}}"#, "fetch.interactiv", "there is no such option",
        "interactive"
      ),
      (#"{"fetch": 1}"#, "fetch", "it is a number, not an object", nil),
      (
        #"{"fetch": {"interactive": "yes"}}"#, "fetch.interactive",
        "it is a string; expected true or false", nil
      ),
      (
        #"{"fetch": {"interactive": 2}}"#, "fetch.interactive",
        "it is a number; expected true or false", nil
      ),
      (
        #"{"*": {"verbose": 10}}"#, "*.verbose", "it is a number; expected true or false", nil
      ),
      (
        #"{"fetch": {"retry": [1]}}"#, "fetch.retry", "it is an array; expected a text or a number",
        nil
      ),
      (
        #"{"fetch": {"header": {}}}"#, "fetch.header",
        "it is an object; expected a text or an array of texts", nil
      ),
      (#"{"*": {"profile": "x"}}"#, "*.profile", "this option has no default", nil),
      (#"{"__generate": {}}"#, "__generate", "there is no such command", nil),
    ] as [(String, String, String, String?)])
  func unknown(defaults: String, key: String, cause: String, near: String?) async throws {
    let program = try Self.program(defaults)
    let file = program.folder.file("store/config/config.json")
    let hint = near.map { "sdkctl: hint: did you mean '\($0)'?\n" } ?? ""
    let run = try await program.run("fetch", "/x", "--unauth", "--dry-run")
    expect(
      run, .configuration,
      errors: "sdkctl: error: could not use 'defaults.\(key)' of '\(file)': \(cause)\n\(hint)")
    // What explains the program works whatever the file has.
    for words in [["help"], ["version"], ["--help"], ["fetch", "-h"], ["completion", "bash"]] {
      #expect(try await program.run(words).status == .status(.success), "\(words)")
    }
  }

  @Test(
    "for colours follow NO_COLOR, then CLICOLOR_FORCE, then the terminal",
    arguments: [
      ([:], true, true), ([:], false, false), (["NO_COLOR": "1"], true, false),
      (["CLICOLOR_FORCE": "1"], false, true), (["CLICOLOR_FORCE": "0"], false, false),
      (["NO_COLOR": "1", "CLICOLOR_FORCE": "1"], true, false), (["CLICOLOR": "0"], true, false),
      (["TERM": "dumb"], true, false), (["TERM": "dumb", "CLICOLOR_FORCE": "1"], true, true),
      (["NO_COLOR": ""], true, true),
    ] as [([String: String], Bool, Bool)])
  func colours(variables: [String: String], isTerminal: Bool, isColoured: Bool) {
    let environment = Environment(variables)
    #expect(ColorChoice.auto.isWanted(onTerminal: isTerminal, environment) == isColoured)
    #expect(ColorChoice.always.isWanted(onTerminal: false, environment))
    #expect(!ColorChoice.never.isWanted(onTerminal: true, environment))
  }
}
