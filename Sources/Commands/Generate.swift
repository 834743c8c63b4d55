import Arguments
import JSON
import POSIX
import SDKCore

enum Generate: Command {
  static let page = CommandInfo(
    name: "__generate", summary: "Write manual pages, completions and the schema",
    description: """
      Writes `man/`, `completions/` and `docs/profile.schema.json` below a directory. The date is that of SOURCE_DATE_EPOCH, \
      else a fixed one, so that the files differ only when the table does.
      """,
    examples: [("sdkctl __generate .", "Regenerate the documents of this tree")], isHidden: true)

  struct Arguments: CommandArguments {
    var directory = ""
  }

  static let operands: [Operand<Arguments>] = [
    .one("DIRECTORY", \.directory, "Where to write").completing(.directory)
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let catalog = commandTable.catalog
    let day = ManualDate(sourceDateEpoch: context.environment["SOURCE_DATE_EPOCH"])
    var files = catalog.pages(date: day).map { ("man/\($0.name)", $0.text) }
    files += [
      ("completions/sdkctl.bash", catalog.bashCompletion()),
      ("completions/_sdkctl", catalog.zshCompletion()),
      ("completions/sdkctl.fish", catalog.fishCompletion()),
      ("docs/profile.schema.json", SettingTable.ofProgram.schema.serialized(.pretty) + "\n"),
    ]
    do throws(SystemError) {
      try AtomicFile.write(files, below: arguments.directory)
    } catch {
      throw Failure(.outputFailed, "could not write the documents: \(error)")
    }
  }
}
