import Arguments

/// The table of a small fake tool, which shows every kind of row once.
enum Demo {
  struct Globals: Sendable, Equatable {
    var profile: String?
    var json = false
    var verbosity = 0
    var timeout = Duration.seconds(30)
  }

  /// What a command did, for tests to look at.
  actor Diary {
    private(set) var lines: [String] = []

    func note(_ line: String) {
      lines.append(line)
    }
  }

  static let globals: [Option<Globals>] = [
    .value("profile", short: "p", "NAME", \.profile, "Use this profile")
      .completing(.dynamic("profiles")).environment("DEMO_PROFILE"),
    .flag("json", \.json, "Print JSON"),
    .counted("verbose", short: "v", \.verbosity, "Say more"),
    .value("timeout", "SECONDS", \.timeout, "Give up after this long")
      .more("Zero waits for ever; see {exit-codes} for what follows."),
  ]

  static let exitCodes = [
    ExitCodeRow(code: 0, name: "success", summary: "it worked", needs: []),
    ExitCodeRow(
      code: 1, name: "failure", summary: "something else failed", advice: "stops", needs: []),
    ExitCodeRow(code: 2, name: "usage", summary: "the command line is wrong", needs: []),
    ExitCodeRow(
      code: 6, name: "network", summary: "no connection", advice: "tries again", needs: .network),
    ExitCodeRow(code: 9, name: "identity", summary: "the server needs a certificate"),
  ]

  static let environment = [(name: "DEMO_PROFILE", summary: "the profile to use, as --profile")]

  static let table = Table<Globals, Diary>(
    program: Program(
      name: "demo", version: "1.2.3", summary: "Show what a table can do",
      description: "The demo has {token}, {pin add} and more. See {curl(1)}.",
      examples: [("demo -p work token", "Print a token")]),
    defaults: Globals(), globals: globals,
    commands: [
      .command("token", Token.self, [TokenDecode.self]),
      .group("pin", pinPage, [PinAdd.self, PinShow.self]),
      .command("fetch", Fetch.self),
      .command("exec", Exec.self),
      .command("__set", SetValue.self),
    ],
    appendix: Appendix(
      topics: topics, exitCodes: exitCodes, environment: environment,
      files: [(name: "~/.config/demo/config.json", summary: "defaults")]))

  static let topics: [Topic] = [
    .exitCodes(
      summary: "What an exit code says", introduction: "A script can tell failures apart.",
      exitCodes),
    Topic(
      name: "formats", summary: "Forms of input and output",
      text: """
        # Input
        A body comes from `--data` of {fetch}, or:

            .first line begins with a dot
            'second with a quote and a \\ backslash

        * one item
        * another item that is "quoted"
        """),
  ]

  static let pinPage = CommandInfo(
    name: "pin", group: .keys, summary: "Keep the keys of hosts",
    description: "Pins are keys that a host must show.",
    examples: [("demo pin show a.example", "Show the pins of one host")])
}

extension Heading {
  static let keys: Heading = "Keys"
  static let work: Heading = "Work"
  static let request: Heading = "Request options"
}
