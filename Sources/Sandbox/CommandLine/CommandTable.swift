import Arguments
import POSIX

/// The one table, from which the parser, help and the manual page come.
let commandTable = Table<Globals, Context>(
  program: Arguments.Program(
    name: "sdkctl-sandbox", version: "",
    summary: "A token server and a gateway here, to try sdkctl on",
    description: """
      sdkctl-sandbox is the counterpart that {sdkctl(1)} needs to show what it does.
      """),
  defaults: Globals(), globals: Globals.options,
  commands: [
    .command(Start.self), .command(Stop.self), .command(Status.self), .command(Reset.self),
    .command(Log.self), .command(FaultCommand.self), .command(Rotate.self),
    .command(CertificateCommand.self), .command(Revoke.self), .command(FIDOCommand.self),
    .command(Help.self),
  ])

/// `help`: explain a command.
enum Help: Command {
  static let page = CommandInfo(
    name: "help", summary: "Explain a command",
    description: "Without a word, lists the commands.",
    examples: [("sdkctl-sandbox help fault", "Explain a command")])

  struct Arguments: CommandArguments {
    var words: [String] = []
  }

  static let operands: [Operand<Arguments>] = [.any("COMMAND", \.words, "A command")]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let catalog = commandTable.catalog
    guard !arguments.words.isEmpty else {
      return Output.standard.write(catalog.mainHelp())
    }
    do throws(UsageError) {
      Output.standard.write(try catalog.help(about: arguments.words))
    } catch {
      throw Failure(error.message, hint: error.hint, exit: .usage)
    }
  }
}
