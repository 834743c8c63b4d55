import TestSupport

@testable import Arguments

@Suite struct TableCheckTests {
  @Test func theDemoIsInOrder() {
    #expect(TableCheck.problems(in: Demo.table) == [])
  }

  struct Values: Sendable {
    var text: String?
    var texts: [String] = []
    var isOn = false
  }

  typealias Broken = Table<Values, Demo.Diary>

  /// A table of one command, made wrong in one way.
  static func table(
    _ description: String = "Does it.", globals: [Option<Values>] = [],
    topics: [Topic] = [], exitCodes: [ExitCodeRow] = []
  ) -> Broken {
    Table(
      program: Program(name: "demo", version: "1", summary: "Demo", description: description),
      defaults: Values(), globals: globals,
      commands: [.command("show", PinShow.self), .command("exec", Exec.self)],
      appendix: Appendix(topics: topics, exitCodes: exitCodes))
  }

  /// Options of a table, and what is wrong with them.
  static let options: [([Option<Values>], String)] = [
    ([.flag("on", \.isOn, "On.")], "--on: the summary ends with a period"),
    ([.flag("on", \.isOn, "")], "--on: no summary"),
    (
      [.flag("on", \.isOn, String(repeating: "x", count: 61))],
      "--on: the summary is longer than 60 columns"
    ),
    (
      [.flag("on", short: "o", \.isOn, "On"), .flag("off", short: "o", \.isOn, "Off")],
      "demo: the option '-o' is there twice"
    ),
    (
      [.flag("on", \.isOn, "On", negatable: true), .flag("no-on", \.isOn, "Off")],
      "demo: the option '--no-on' is there twice"
    ),
    ([.flag("hold", short: "h", \.isOn, "Hold")], "demo: the option '-h' is there twice"),
    (
      [.value("password", "TEXT", \.text, "The password")],
      "demo: the option '--password' takes a secret as its value"
    ),
    (
      [.list("client-secret", "TEXT", \.texts, "Secrets")],
      "demo: the option '--client-secret' takes a secret as its value"
    ),
    ([.value("key-file", "FILE", \.text, "A file")], ""),
    ([.value("size", "", \.text, "Size")], "demo: the option '--size' does not name its value"),
    ([.flag("x", \.isOn, "On")], "demo: the option '--x' has a bad name"),
    ([.flag("Big", \.isOn, "On")], "demo: the option '--Big' has a bad name"),
    (
      [.value("size", "S", \.text, "Size").completing(.choices([]))],
      "demo: the option '--size' has no choices"
    ),
    (
      [.value("size", "S", \.text, "Size").completing(.choices(["é"]))],
      "demo: the option '--size' has a choice that is not plain ASCII"
    ),
    (
      [.flag("on", \.isOn, "On").completing(.file)],
      "demo: the option '--on' is a switch with completions"
    ),
    (
      [.flag("on", \.isOn, "On").environment("NOWHERE")],
      "demo: the option '--on' names the variable NOWHERE, which has no row"
    ),
  ]

  static let broken: [(Broken, String)] =
    options.map { (table(globals: $0), $1) } + [
      (table("With --bogus."), "demo: names '--bogus', which is not an option here"),
      (table("With `x --bogus`."), "demo: names '--bogus', which is not an option here"),
      (table("With `demo show`."), ""),
      (
        table("With `demo show --bogus h`."),
        "demo: 'demo show --bogus h' is wrong: unknown option '--bogus'"
      ),
      (table("See {nothing}."), "demo: refers to 'nothing', which does not exist"),
      (
        table(topics: [Topic(name: "exec", summary: "Clash", text: "Text.")]),
        "the topic 'exec' is named twice"
      ),
      (table(exitCodes: Demo.exitCodes + [Demo.exitCodes[3]]), "the exit code 6 has two rows"),
      (
        table(exitCodes: [ExitCodeRow(code: 7, name: "seven", summary: "")]),
        "the exit code 7 has no name or no summary"
      ),
    ]

  @Test("finds what is wrong", arguments: broken.indices)
  func finds(index: Int) {
    let (table, problem) = Self.broken[index]
    // The demo's own example names another command tree, which is always told.
    let known = "show: the example 'demo pin show a.example' is wrong: "
    let problems = TableCheck.problems(in: table).filter {
      $0 != "show: the example 'demo pin show a.example' is wrong: unknown command 'pin'"
        && !$0.hasPrefix(known)
    }
    #expect(problems == (problem.isEmpty ? [] : [problem]))
  }

  @Test func pagesAreHeldToTheirExamplesAndCodes() {
    let page = CommandInfo(name: "x", summary: "X", description: "X.")
    let other = CommandInfo(
      name: "y", summary: "Y", description: "Y.",
      examples: [("echo hi", "Greet"), ("demo show --bogus", "Fail")], exitCodes: [77],
      seeAlso: ["z"])
    let table = Broken(
      program: Program(name: "demo", version: "1", summary: "Demo", description: "Demo."),
      defaults: Values(), globals: [],
      commands: [.command("show", PinShow.self), .group("x", page, []), .group("why", other, [])])
    #expect(
      TableCheck.problems(in: table).filter { !$0.hasPrefix("show:") } == [
        "y: it is found as 'why'", "y: refers to 'z', which does not exist",
        "y: the exit code 77 has no row", "x: no example",
        "y: the example 'echo hi' does not use the program",
        "y: the example 'demo show --bogus' is wrong: unknown option '--bogus'",
      ])
  }

  @Test(
    "splits example lines as a shell does",
    arguments: [
      ("demo a b", [["demo", "a", "b"]]),
      ("demo 'a b' \"c \\\" d\" e\\ f ''", [["demo", "a b", "c \" d", "e f", ""]]),
      (
        "A=1 demo x=y | jq . && demo b; demo c",
        [["demo", "x=y"], ["jq", "."], ["demo", "b"], ["demo", "c"]]
      ),
      ("demo a < in > out 2>&1 b", [["demo", "a", "b"]]),
      (
        "curl -H \"$(demo token --header)\" u",
        [["demo", "token", "--header"], ["curl", "-H", "$(…)", "u"]]
      ),
      ("demo a # comment", [["demo", "a"]]),
      ("demo 'open", [["demo", "open"]]), ("", []),
    ])
  func splits(line: String, expected: [[String]]) {
    #expect(ShellWords.commands(in: line) == expected)
  }
}
