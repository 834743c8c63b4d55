import Arguments
import JSON
import POSIX
import Primitives
import SDKCore

enum Help: Command {
  static let page = CommandInfo(
    name: "help", group: .tools, summary: "Explain commands and topics",
    description: """
      Without a word, lists the commands. With a command or a topic, explains it. The same \
      texts are manual pages: `man sdkctl-pin-add`, `man 7 sdkctl-pins`.
      """,
    examples: [
      ("sdkctl help token", "Explain a command"),
      ("sdkctl help pins", "Explain a topic"),
      ("sdkctl help topics", "List the topics"),
      ("sdkctl help -a", "List all commands, external ones and aliases too"),
    ],
    output: rows.document)

  private static let rows = Rows<(words: [String], text: String)>(
    .member("words", "the subject") { $0.words }, .member("text", "the text") { $0.text })

  struct Arguments: CommandArguments {
    var all = false
    var words: [String] = []
  }

  static let options: [Option<Arguments>] = [
    .flag("all", short: "a", \.all, "List subcommands, external commands and aliases")
  ]

  static let operands: [Operand<Arguments>] = [
    .any("WORD", \.words, "A command or a topic").completing(.dynamic("help"))
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let catalog = commandTable.catalog
    // Read once: the optimiser of Swift 6.3 breaks a second `try?` of the same call.
    let aliases = (try? context.store().aliases()) ?? [:]
    if arguments.words.isEmpty {
      write(
        catalog.mainHelp(
          isComplete: arguments.all,
          externals: externalCommands(context.environment).map(Visible.line),
          aliases: aliases.sorted.map {
            (name: Visible.line($0.key), expansion: Visible.line($0.value.string ?? ""))
          }), arguments, context)
      return
    }
    do {
      write(try catalog.help(about: arguments.words), arguments, context)
    } catch {
      if arguments.words.count == 1, let name = arguments.words.first,
        let alias = aliases[name]?.string
      {
        return write(
          "\(Visible.line(name)): an alias of '\(Visible.line(alias))'\n", arguments, context)
      }
      let external = externalCommands(context.environment).first { [$0] == arguments.words }
      throw Failure.usage(
        error.message,
        hints: [external.map { "see '\(ShellWord.sdkctl($0, "--help"))'" } ?? error.hint])
    }
  }

  private static func write(_ text: String, _ arguments: Arguments, _ context: Context) {
    guard context.globals.json else { return context.output.write(text) }
    context.print(rows.json((arguments.words, text)))
  }
}
