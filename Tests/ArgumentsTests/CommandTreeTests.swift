import Arguments
import TestSupport

@Suite struct CommandTreeTests {
  @Test(
    "finds the command and its operands",
    arguments: [
      (["token"], "token \(Token.Arguments())"),
      (
        ["token", "--min-ttl=5", "-H"],
        "token \(Token.Arguments(minimumLifetime: 5, header: true))"
      ),
      (["token", "decode"], "decode \(TokenDecode.Arguments())"),
      (["token", "decode", "-"], "decode \(TokenDecode.Arguments(file: "-"))"),
      (["token", "decode", "decode"], "decode \(TokenDecode.Arguments(file: "decode"))"),
      (["token", "decode", "--", "--raw"], "decode \(TokenDecode.Arguments(file: "--raw"))"),
      (["token", "decode", "--raw"], "decode \(TokenDecode.Arguments(raw: true))"),
      (["pin", "add", "a", "b"], "add \(PinAdd.Arguments(hosts: ["a", "b"]))"),
      (["fetch", "/x"], Demo.fetch { _ in }),
      (["fetch", "PUT", "/x"], Demo.fetch { $0.method = "PUT" }),
      (["exec", "ls", "-l", "--json"], "exec \(Exec.Arguments(command: ["ls", "-l", "--json"]))"),
      (["exec", "--", "-x", "--", "y"], "exec \(Exec.Arguments(command: ["-x", "--", "y"]))"),
      (["__set", "a=b"], "__set \(SetValue.Arguments(setting: "a=b"))"),
      (
        ["__set", "a=b", "--", "-p", "x"],
        "__set \(SetValue.Arguments(setting: "a=b", words: ["-p", "x"]))"
      ),
    ])
  func finds(words: [String], expected: String) async {
    #expect(await Demo.told(words) == expected)
  }

  @Test(
    "reports what is wrong, where, and what helps",
    arguments: [
      ([], "no command given", "see 'demo help'", []),
      (["--json"], "no command given", "see 'demo help'", []),
      (["--", "token"], "no command before '--'", "see 'demo help'", []),
      (["pin"], "'pin' needs a command", "see 'demo help pin'", ["pin"]),
      (
        ["token", "decod"], "unknown command 'token decod'",
        "did you mean 'token decode'? see 'demo help token'", ["token"]
      ),
      (["pin", "zzz"], "unknown command 'pin zzz'", "see 'demo help pin'", ["pin"]),
      (["pin", "zzz", "-h"], "unknown command 'pin zzz'", "see 'demo help pin'", ["pin"]),
      (
        ["token", "--", "decode"], "unexpected operand 'decode'", "see 'demo help token'",
        ["token"]
      ),
      (
        ["token", "decode", "a", "b"], "unexpected operand 'b'", "see 'demo help token decode'",
        ["token", "decode"]
      ),
      (["fetch"], "operand PATH is missing", "see 'demo help fetch'", ["fetch"]),
      (["exec"], "operand COMMAND is missing", "see 'demo help exec'", ["exec"]),
      (
        ["token", "--profil", "x"], "unknown option '--profil'",
        "did you mean '--profile'? see 'demo help token'", ["token"]
      ),
      (
        ["fetch", "--no-fial", "/x"], "unknown option '--no-fial'",
        "did you mean '--no-fail'? see 'demo help fetch'", ["fetch"]
      ),
      (["--min-ttl", "3", "token"], "unknown option '--min-ttl'", "see 'demo help'", []),
      (
        ["token", "-H", "decode"],
        "option '-H' is before 'decode', whose options follow it",
        "see 'demo help token decode'", ["token", "decode"]
      ),
      (["token", "--version"], "unknown option '--version'", "see 'demo help token'", ["token"]),
      (["--version=1"], "option '--version' takes no value", "see 'demo help'", []),
      (
        ["token", "--help=x"], "option '--help' takes no value", "see 'demo help token'", ["token"]
      ),
    ] as [([String], String, String, [String])])
  func tells(words: [String], message: String, hint: String, path: [String]) {
    let error = Demo.usageError(words)
    #expect(error?.message == message)
    #expect(error?.hint == hint)
    #expect(error?.path == path)
    #expect(error?.isWithoutCommand == [[], ["--json"], ["pin"]].contains(words))
  }

  @Test(
    "--help is read even if something else is wrong",
    arguments: [
      (["-h"], [], .short), (["--help"], [], .long), (["--bogus", "--help"], [], .long),
      (["token", "-h"], ["token"], .short), (["-h", "token"], ["token"], .short),
      (["token", "decode", "--help"], ["token", "decode"], .long),
      (["pin", "--help"], ["pin"], .long), (["fetch", "-fh"], ["fetch"], .short),
      (["fetch", "--retry", "x", "--help"], ["fetch"], .long),
      (["fetch", "-h", "--help"], ["fetch"], .short),
    ] as [([String], [String], HelpLength)])
  func help(words: [String], path: [String], length: HelpLength) async {
    #expect(await Demo.told(words) == "help \(path) \(length)")
  }

  @Test func helpIsNoHelpAsAValueOrBehindTwoDashes() async {
    #expect(await Demo.told(["fetch", "-X", "-h", "/x"]) == Demo.fetch { $0.method = "-h" })
    #expect(
      await Demo.told(["exec", "--", "ls", "-h"])
        == "exec \(Exec.Arguments(command: ["ls", "-h"]))")
  }

  @Test func versionIsAskedForBeforeTheCommand() async {
    #expect(await Demo.told(["--version"]) == "version")
  }

  @Test func anUnknownFirstWordIsLeftToTheFaceWithItsArgumentsUntouched() throws {
    let bytes: [[UInt8]] = ["-v", "-p", "x", "sandbox", "--help", "-p"].map { Array($0.utf8) }
    let reading = Demo.table.read(bytes + [[0xff]])
    #expect(reading.globals == Demo.Globals(profile: "x", verbosity: 1))
    guard case .external(let external) = reading.outcome else { throw Unmet("\(reading.outcome)") }
    #expect(external.name == "sandbox")
    #expect(external.leading == Array(bytes[..<3]))
    #expect(external.trailing == Array(bytes[4...]) + [[0xff]])
  }

  @Test(
    "an unknown command is an error that suggests the nearest one",
    arguments: [
      ("tokn", "did you mean 'token'? see 'demo help'"),
      ("sandbx", "did you mean 'sandbox'? see 'demo help'"),
      ("zzzz", "see 'demo help'"), ("__complet", "see 'demo help'"),
    ])
  func unknown(name: String, hint: String) {
    let error = Demo.table.catalog.unknownCommand(name, alsoKnown: ["sandbox"])
    #expect(error.message == "unknown command '\(name)'")
    #expect(error.hint == hint)
    #expect(error.path == [])
  }

  @Test func thePageIsAtHandBeforeTheCommandRuns() throws {
    guard case .run(let invocation) = Demo.table.read(["fetch", "/x"]).outcome else {
      throw Unmet("did not read")
    }
    #expect(invocation.path == ["fetch"])
    #expect(invocation.page.needs == .network)
  }
}
