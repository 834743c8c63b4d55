import Arguments

/// `demo fetch [METHOD] PATH` -- a command with every kind of option.
enum Fetch: DemoCommand {
  enum Access: String, CaseIterable { case user, anonymous }
  enum Encoding: String, CaseIterable { case json, form }

  static let page = CommandInfo(
    name: "fetch", group: .work, summary: "Fetch a resource",
    description: "Fetches PATH. Nothing is sent without --data.",
    examples: [("demo fetch --user -X POST --data 'a b' /me", "Send a body")],
    needs: .network)

  struct Arguments: CommandArguments, Equatable {
    var access = Access.user
    var method: String?
    var path = ""
    var headers: [String] = []
    var encoding = Encoding.json
    var retries = 0
    var port: UInt16?
    var output: String?
    var directory: String?
    var percent: Int?
    var fail = true
    var secretFile: String?
  }

  static let options: [Option<Arguments>] = [
    .flag("user", \.access, setting: .user, "Fetch as the user").exclusive("access"),
    .flag("anonymous", \.access, setting: .anonymous, "Fetch as nobody")
      .exclusive("access"),
    .value("method", short: "X", "METHOD", \.method, "Use this method").group(.request),
    .list("header", short: "H", "FIELD", \.headers, "Send this field") {
      (text) throws(ValueError) in
      guard text.contains(":") else { throw ValueError("expected 'Name: value'") }
      return text
    }.group(.request),
    .choice("encoding", "FORM", \.encoding, "Encode parameters like this"),
    .value("retry", "COUNT", \.retries, "Try again so often"),
    .value("port", "PORT", \.port, "Connect to this port"),
    .value("data", short: "d", "TEXT", \.output, "Send this body").group(.request),
    .value("output", short: "o", "FILE", \.output, "Write the body to a file").completing(.file),
    .value("chdir", short: "C", "DIR", \.directory, "Go there first").completing(.directory),
    .value(
      "percent", "N", \.percent, "Send this much only",
      reading: { Int($0).flatMap { (0...100).contains($0) ? $0 : nil } },
      expected: "a number up to 100"),
    .flag("fail", short: "f", \.fail, "Fail on HTTP errors", negatable: true),
    .secret("client-secret", \.secretFile, "the secret"),
  ]

  static let operands: [Operand<Arguments>] = [
    .optional("METHOD", \.method, "Request method"),
    .one("PATH", \.path, "Path or URL"),
  ]

  static func check(_ arguments: Arguments) throws(ValueError) {
    if arguments.secretFile != nil, arguments.retries == 7 {
      throw ValueError("the secret does not go with 7 tries")
    }
  }
}

/// `demo exec -- COMMAND...` -- a foreign command line.
enum Exec: DemoCommand {
  static let page = CommandInfo(
    name: "exec", group: .work, summary: "Run a program with a token",
    description: "Runs COMMAND.", examples: [("demo exec -- ls -l", "List files")])

  struct Arguments: CommandArguments, Equatable {
    var command: [String] = []
  }

  static let operands: [Operand<Arguments>] = [
    .verbatim("COMMAND", \.command, "Program and its arguments")
  ]
}

/// `demo __set KEY=VALUE` -- hidden.
enum SetValue: DemoCommand {
  static let page = CommandInfo(
    name: "__set", summary: "Set a value", description: "For tests.", isHidden: true)

  struct Arguments: CommandArguments, Equatable {
    var setting = ""
    var words: [String] = []
  }

  static let operands: [Operand<Arguments>] = [
    .one("SETTING", \.setting, "Key and value").completing(.dynamic("settings")),
    .any("WORD", \.words, "What was typed so far"),
  ]
}
