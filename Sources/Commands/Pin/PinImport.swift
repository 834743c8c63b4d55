import Arguments
import JSON
import Pinning
import Primitives
import SDKCore

/// `sdkctl pin import` -- read pins from a document of another program.
enum PinImportCommand: Command {
  static let page = CommandInfo(
    name: "import", summary: "Read pins from a document of another program",
    description: """
      Adds the pins of a document to the profile: `sdkctl pin import Info.plist`. The \
      format is found out, unless `--format` names it; {pin export} lists the formats, of which \
      `dart`, `envoy` and `chromium` can only be written. A property list may be binary. A document \
      in `curl` or `hpkp` format does not name a host, so these need `--host`.

      Pins are added to those of the same pattern; `--replace` puts the sets of the document in \
      their place. Policy, expiry and report addresses of the document replace the old ones. \
      Other sets stay as they are. The command shows what it will change, as {pin update} does, and \
      asks; without a terminal it needs `--yes`.

      A setting that protects less than before is marked with `!` and asked for by itself: `report` \
      instead of `enforce`, a later end, other addresses of reports. `--yes` and `--strict` refuse \
      it, unless `--allow-weaker` is given.

      A warning names what a pin set cannot express; with `--strict` it is an error, and \
      nothing changes. A document with a malformed pin is refused as a whole.
      """,
    examples: [
      (
        "sdkctl pin import --format android network_security_config.xml",
        "Use the pins of an Android app"
      )
    ],
    exitCodes: [3, 15], seeAlso: ["pin export", "pins"],
    json: """
      An object with `hosts`, the patterns whose pins changed, and `added`, the number of new pins.
      """, needs: .terminal)

  struct Arguments: CommandArguments {
    var format: PinFormat?
    var file = ""
    var host: PinPattern?
    var replace = false
    var strict = false
    var allowWeaker = false
    var yes = false
  }

  static let options: [Option<Arguments>] = [
    .readFormat(\.format, "Read this format, not the one that it looks like"),
    .value("host", nil, "HOST", \.host, "Pin for this host, if the format does not name any")
      .completing(.dynamic("pinned-hosts")),
    .flag("replace", nil, \.replace, "Replace the pins of the same hosts"),
    .flag("strict", nil, \.strict, "Fail if something of the document is not used"),
    .flag("allow-weaker", nil, \.allowWeaker, "Agree to settings that protect less"),
    .flag("yes", "y", \.yes, "Import without asking"),
  ]

  static let operands: [Operand<Arguments>] = [
    .one("FILE", \.file, "The document, - for standard input").completing(.file)
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let session = try context.session()
    let (format, imported) = try PinFile(arguments.file, arguments.format, arguments.host).read(
      context)
    try context.refuseLosses(
      imported.losses, isStrict: arguments.strict, "could not import all of '\(arguments.file)'")
    let changes = PinChanges(
      differences: session.pinning.differences(
        to: imported.sets, replaces: arguments.replace,
        origin: PinOrigin(.import, "\(format.rawValue) \(name(arguments.file))")),
      policy: session.profile.pinPolicy)
    guard !changes.differences.isEmpty else {
      return context.report(report([]), "the pins are there already")
    }
    context.show(changes.lines, isAgreed: arguments.yes)
    try await changes.agreeToWeaker(
      isAgreed: arguments.allowWeaker, refuses: arguments.yes || arguments.strict, in: context)
    let amount = Self.amount(changes.differences)
    try await context.confirm("Import \(amount)?", isAgreed: arguments.yes)
    try await session.pinning.apply(changes.differences)
    context.report(report(changes.differences), "imported \(amount)")
  }

  private static func report(_ differences: [PinDifference]) -> JSON {
    [
      "hosts": .strings(differences.map(\.new.pattern.description)),
      "added": .int(Int64(differences.reduce(0) { $0 + $1.added.count })),
    ]
  }

  private static func amount(_ differences: [PinDifference]) -> String {
    let count = differences.reduce(0) { $0 + $1.added.count }
    let pins = count == 1 ? "1 new pin" : "\(count) new pins"
    return "\(pins) of \(differences.count == 1 ? "1 host" : "\(differences.count) hosts")"
  }

  private static func name(_ path: String) -> String {
    path == "-" ? "standard input" : String(path.split(separator: "/").last ?? "")
  }
}
