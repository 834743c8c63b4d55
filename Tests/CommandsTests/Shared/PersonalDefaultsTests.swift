import Arguments
import CoreTestSupport

@testable import Commands

@Suite("Defaults of options")
struct PersonalDefaultsTests {
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
