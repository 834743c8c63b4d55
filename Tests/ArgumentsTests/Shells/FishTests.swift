import TestSupport

@Suite struct FishTests {
  @Test(
    "offers the completions of the table", .enabled(if: Program.isExpected("fish"), "needs fish"),
    arguments: CompletionCase.all)
  func offers(_ example: CompletionCase) throws {
    let lines = try Workshop(asking: [example.line]).run(
      "fish", ["-N", "-c", "source demo.fish; complete -C $argv[1]", example.line])
    // If nothing begins with what was typed, fish offers what is similar.
    let typed = example.line.split(separator: " ").last { $0.hasPrefix("--") } ?? ""
    let words = lines.filter { $0.hasPrefix("-") ? $0.hasPrefix(typed) : true }.map { line in
      let word = line.split(separator: "\t").first.map(String.init) ?? ""
      // Options with an attached value are shown whole, folders with a slash.
      let value = word.hasPrefix("--") ? word.split(separator: "=").last.map(String.init) : word
      return (value ?? word).hasSuffix("/") ? String((value ?? word).dropLast()) : value ?? word
    }
    #expect(words.sorted() == example.offers)
  }
}
