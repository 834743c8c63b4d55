import Arguments
import POSIX

/// The one table, from which the parser, help and the manual page come.
let commandTable = Table<Globals, Context>(
  program: Arguments.Program(
    name: "sdkctl-sandbox", version: "",
    summary: "A token server and a gateway here, to try sdkctl on",
    description: """
      sdkctl-sandbox is the counterpart that {sdkctl(1)} needs to show what it does: an OAuth and OpenID \
      Connect server with sign-in pages, a FIDO UAF server, and a resource gateway that accepts what they \
      issue. They speak TLS on the loopback addresses, under a certificate authority that the sandbox makes \
      for itself. `sdkctl sandbox` runs it too.

      Everything that it remembers is in memory and ends with it: after a restart or a {reset}, clients \
      register anew.

      The sandbox is a place to try things in. Its people and passwords are known to everybody, anybody may \
      register, and any request may ask for a fault. Do not trust its certificate authority in a browser \
      that you use for anything else.
      """,
    examples: [
      ("sdkctl-sandbox start --background", "Start it"),
      ("sdkctl-sandbox fault lost-rotation", "Lose the response of the next refresh"),
      (
        "sdkctl-sandbox status --json | jq .counts.grants.refresh_token",
        "Count the refreshes of a script"
      ),
      ("sdkctl-sandbox stop", "Stop it"),
    ]),
  defaults: Globals(), globals: Globals.options,
  commands: [
    .command("start", Start.self), .command("stop", Stop.self), .command("status", Status.self),
    .command("reset", Reset.self),
    .command("log", Log.self), .command("fault", FaultCommand.self),
    .command("rotate", Rotate.self),
    .command("certificate", CertificateCommand.self), .command("revoke", Revoke.self),
    .command("fido", FIDOCommand.self),
    .command("help", Help.self), .command("__generate", Generate.self),
  ],
  advice: { words in
    // As other programs call it.
    words.first == "start" && ["-d", "--detach", "--daemon"].contains(words.last)
      ? "use `--background`" : nil
  },
  appendix: appendix)

/// `help`: explain a command.
enum Help: Command {
  static let page = CommandInfo(
    name: "help", summary: "Explain a command",
    description: "Without a word, lists the commands. With a command or a topic, explains it.",
    examples: [("sdkctl-sandbox help fault", "Explain a command")])

  struct Arguments: CommandArguments {
    var words: [String] = []
  }

  static let operands: [Operand<Arguments>] = [.any("WORD", \.words, "A command or a topic")]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    do throws(UsageError) {
      Output.standard.write(try commandTable.catalog.help(about: arguments.words))
    } catch {
      throw Failure(error.message, hint: error.hint, exit: .usage)
    }
  }
}
