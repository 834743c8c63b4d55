import Arguments
import POSIX
import PinFormats
import Pinning
import SDKCore

enum PinDiff: Command {
  static let page = CommandInfo(
    name: "diff", summary: "Compare the pins of documents or profiles",
    description: """
      Prints the pins and settings in which B differs from A: `sdkctl pin diff v1.json v2.json`. Each is a \
      file in any format of {pin import}, `-` for standard input, or the name of a profile. With A \
      alone, B is the profile. The command makes no connection, and changes nothing. The status is 0 also if \
      they differ, unless `--exit-code` is given.

      In the output `-` is a key that only A has, `+` one that only B has, and a space one of both. Settings \
      follow; `!` marks those that protect less in B. Roles are compared if both are profiles, or documents \
      in the format `json`; the other formats have none.
      """,
    examples: [
      ("sdkctl pin diff v1.json v2.json", "Compare two documents"),
      ("sdkctl pin diff Info.plist --exit-code", "Compare the pins of an app with the profile"),
      ("sdkctl pin diff test work", "Compare two profiles"),
    ],
    seeAlso: ["pin check", "pin import"],
    output: rows.document)

  private static let rows = Rows<PinChanges>(
    .member("equal", "whether there is no difference") { $0.differences.isEmpty },
    .list("changes", "the patterns that differ", PinChanges.rows) { $0.sets })

  struct Arguments: CommandArguments {
    var one = ""
    var other: String?
    var host: PinPattern?
    var exitCode = false
  }

  static let options: [Option<Arguments>] = [
    .flag("exit-code", \.exitCode, "Exit with 1 if they differ"),
    .value("host", "HOST", \.host, "The host, if a document does not name any"),
  ]

  static let operands: [Operand<Arguments>] = [
    .one("A", \.one, "A file, - or a profile").completing(.file).input(),
    .optional("B", \.other, "The same; without it the profile").completing(.file).input(),
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let one = try pins(of: arguments.one, arguments, context)
    let other =
      try arguments.other.map { try pins(of: $0, arguments, context) }
      ?? (sets: context.pinSets(), hasRoles: true)
    let changes = PinChanges(
      differences: one.sets.differences(
        to: other.sets, comparesRoles: one.hasRoles && other.hasRoles), policy: .enforce)
    let isEqual = changes.differences.isEmpty
    if context.globals.json {
      context.print(rows.json(changes))
    } else {
      for line in changes.lines(context.noteWidth) { context.print(line) }
    }
    if arguments.exitCode, !isEqual { throw Failure.silent(.failure) }
  }

  private static func pins(
    of text: String, _ arguments: Arguments, _ context: Context
  ) throws -> (sets: PinSets, hasRoles: Bool) {
    let kind = try? FileStatus.of(text).kind
    if text == "-" || text.contains("/") || kind.map({ $0 != .directory }) == true {
      let file = try PinFile(
        text, host: arguments.host, hostHint: context.commandLine(adding: "--host", "HOST"))
      let bytes = try context.read(text, "the pins", limit: PinFormat.maximumSize)
      let (format, pins) = try file.pins(in: bytes)
      return (PinSets(pins.sets), format == .json)
    }
    guard let name = try? ProfileName(text), try context.store().contains(name) else {
      throw Failure(
        .usage, "could not compare '\(text)': it is neither a file nor a profile",
        hints: ["sdkctl profile list"])
    }
    return (try context.with(profile: text).pinSets(), true)
  }
}
