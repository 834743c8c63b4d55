import Arguments

/// A command that notes its name and what it was given.
protocol DemoCommand: Command where Context == Demo.Diary {}

extension DemoCommand {
  static func run(_ arguments: Arguments, in diary: Demo.Diary) async throws {
    await diary.note("\(page.name) \(arguments)")
  }
}

/// `demo token` -- a command that also holds a subcommand.
enum Token: DemoCommand {
  static let page = CommandInfo(
    name: "token", group: .keys, summary: "Print a token",
    description: """
      Prints the token on standard output. It is refreshed when it lives less than
      `--min-ttl` seconds; see {token decode}. With --header it is a header line.

      A second paragraph (of some length) shows how filled text is broken into lines.
      """,
    examples: [(#"curl -H "$(demo token --header)" https://example.org | jq ."#, "Call by hand")],
    exitCodes: [9], seeAlso: ["token decode", "exit-codes", "curl(1)"],
    output: OutputDoc(
      .document, [], others: "One object: `token` (text) and `expires` (ISO 8601)."),
    needs: .network)

  struct Arguments: CommandArguments, Equatable {
    var minimumLifetime: Int64 = 30
    var header = false
  }

  static let options: [Option<Arguments>] = [
    .value("min-ttl", "SECONDS", \.minimumLifetime, "Refresh when less life is left"),
    .flag("header", short: "H", \.header, "Print a header line"),
  ]
}

/// `demo token decode [FILE]` -- a subcommand with an operand.
enum TokenDecode: DemoCommand {
  static let page = CommandInfo(
    name: "decode", summary: "Show what is inside a token",
    description: "Reads FILE, or the stored token.",
    examples: [("demo token decode - < token.txt", "Decode from a file")])

  struct Arguments: CommandArguments, Equatable {
    var file: String?
    var raw = false
  }

  static let options: [Option<Arguments>] = [.flag("raw", \.raw, "Do not pretty-print")]

  static let operands: [Operand<Arguments>] = [
    .optional("FILE", \.file, "File that holds the token").completing(.file)
  ]
}

/// `demo pin add HOST...` -- a subcommand with many operands.
enum PinAdd: DemoCommand {
  enum Role: String, CaseIterable { case leaf, intermediate, root }

  static let page = CommandInfo(
    name: "add", summary: "Pin the keys of hosts",
    description: "Connects and asks. `demo pin add a.example --yes` does not ask.",
    examples: [("demo pin add a.example:443 --role root --yes", "Pin the root")],
    needs: .network)

  struct Arguments: CommandArguments, Equatable {
    var hosts: [String] = []
    var role: Role?
    var roles: [String] = []
    var yes = false
  }

  static let options: [Option<Arguments>] = [
    .choice("role", short: "r", "ROLE", \.role, "Pin only this key"),
    .list("label", "TEXT", \.roles, "Note this with the pin"),
    .flag("yes", short: "y", \.yes, "Do not ask", negatable: true),
  ]

  static let operands: [Operand<Arguments>] = [
    .some("HOST", \.hosts, "Host, with an optional port")
  ]
}

/// `demo pin show HOST` -- a subcommand without options.
enum PinShow: DemoCommand {
  static let page = CommandInfo(
    name: "show", summary: "Show the pins of a host", description: "Prints the pins.",
    examples: [("demo pin show a.example", "Show them")])

  struct Arguments: CommandArguments, Equatable {
    var host = ""
  }

  static let operands: [Operand<Arguments>] = [
    .one("HOST", \.host, "Pinned host").completing(.dynamic("pinned-hosts"))
  ]
}
