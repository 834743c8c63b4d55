import TestSupport

@testable import Arguments

@Suite("Defaults of options in the table")
struct OptionDefaultsTests {
  private struct Broken: Error {}

  private static func outcome(
    _ words: [String], _ defaults: @escaping OptionDefaults
  ) -> ParseOutcome<Demo.Diary> {
    Demo.table.read(words.map { Array($0.utf8) }, defaults: defaults).outcome
  }

  @Test("are asked for only if a command will run")
  func laziness() throws {
    let failing: OptionDefaults = { _, _ in throw Broken() }
    for words in [["fetch", "--help"], ["--version"], ["help"], ["unknown"], []] as [[String]] {
      if case .failed = Self.outcome(words, failing) { Issue.record("\(words)") }
    }
    guard case .failed = Self.outcome(["fetch", "/x"], failing) else {
      throw Unmet("a failure was ignored")
    }
  }

  @Test("with a wrong value are reported with their place")
  func place() throws {
    let defaults: OptionDefaults = { _, option in
      option.valueName == nil
        ? nil
        : OptionDefault(origin: "the place", settings: [.text(" ")])
    }
    guard case .usage(let error) = Self.outcome(["fetch", "/x"], defaults) else {
      throw Unmet("a wrong value was accepted")
    }
    #expect(error.isConfiguration)
    #expect(error.message.contains("the place"))
  }
}
