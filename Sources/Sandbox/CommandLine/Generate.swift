import Arguments
import POSIX

/// `__generate`: write the manual pages of the sandbox.
enum Generate: Command {
  static let page = CommandInfo(
    name: "__generate", summary: "Write the manual pages",
    description: "Writes `man/sandbox/` below a directory.",
    examples: [("sdkctl-sandbox __generate .", "Regenerate the pages of this tree")],
    isHidden: true)

  struct Arguments: CommandArguments {
    var directory = ""
  }

  static let operands: [Operand<Arguments>] = [
    .one("DIRECTORY", \.directory, "Where to write").completing(.directory)
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let date = ManualDate(sourceDateEpoch: context.environment["SOURCE_DATE_EPOCH"])
    let pages = commandTable.catalog.pages(date: date)
    do throws(SystemError) {
      try AtomicFile.write(
        pages.map { ("man/sandbox/\($0.name)", $0.text) }, below: arguments.directory)
    } catch {
      throw Failure("write the pages", error)
    }
  }
}
