import Arguments
import POSIX
import PinFormats
import Pinning
import Primitives
import SDKCore

enum PinImportCommand: Command {
  static let page = CommandInfo(
    name: "import", summary: "Read pins from a document of another program",
    description: """
      Adds the pins of a document to the profile: `sdkctl pin import Info.plist`. The \
      format is found out, unless `--format` names it; {pin export} lists the formats, of which \
      `okhttp` and `okhttp-java` can only be written. A document \
      in `curl` format does not name a host, so it needs `--host`.

      Pins are added to those of the same pattern; `--replace` puts the sets of the document in \
      their place. Policy and expiry of the document replace the old ones. \
      Other sets stay as they are. The command shows what it will change, as {pin update} does, and \
      asks; without a terminal it needs `--yes`. With `--dry-run` it prints that, and changes nothing. The \
      document of a URL is fetched from a server whose host must be pinned as any other.

      A signed pin set (`sdkctl pin export --sign team.pem` makes one) must have the signature of the key \
      of `--signed-by`, a file or the thumbprint of a key (RFC 7638); without that option of the key \
      whose thumbprint is `pinUpdateKey` of the profile. A set that has expired, that is older than one which \
      was used before, or that is not signed with a key pair is refused, and the exit status is 11.

      A setting that protects less than before is marked with `!` and asked for by itself: `report` \
      instead of `enforce`, or a later end. `--yes` and `--strict` refuse \
      it, unless `--allow-weaker` is given.

      A warning names what a pin set cannot express; with `--strict` it is an error, and \
      nothing changes. A document with a malformed pin is refused as a whole.
      """,
    examples: [
      (
        "sdkctl pin import --format android network_security_config.xml",
        "Use the pins of an Android app"
      ),
      (
        "sdkctl pin import https://pins.example.com/work.jws --signed-by team.pem --dry-run",
        "Look at what a signed pin set would change"
      ),
    ],
    exitCodes: [11], seeAlso: ["pin export", "pins"],
    output: rows.document, needs: [.network, .terminal])

  private static let rows = Rows<PinChanges>(
    .member("hosts", "the patterns whose pins change") { changes in
      changes.differences.map(\.new.pattern.description)
    },
    .member("added", "the number of new pins") { changes in
      Int64(changes.differences.reduce(0) { $0 + $1.added.count })
    },
    .list("changes", "what changes, by host", PinChanges.rows) { $0.sets })

  struct Arguments: CommandArguments {
    var format: PinFormat?
    var file = ""
    var host: PinPattern?
    var replace = false
    var strict = false
    var signedBy: String?
    var dryRun = false
    var allowWeaker = false
    var yes = false
  }

  static let options: [Option<Arguments>] = [
    .readFormat(\.format, "Read this format, not the one that it looks like"),
    .value("host", "HOST", \.host, "Pin for this host, if the format does not name any")
      .completing(.dynamic("pinned-hosts")),
    .flag("replace", \.replace, "Replace the pins of the same hosts"),
    .flag("strict", \.strict, "Fail if something of the document is not used"),
    .value("signed-by", "KEY", \.signedBy, "Require the signature of this key")
      .completing(.file).input().excludes("format", "host")
      .more("A file (PEM, DER, JWK, certificate), or a thumbprint (RFC 7638)."),
    .flag("dry-run", \.dryRun, "Show what would change, and change nothing")
      .excludes("yes", "allow-weaker"),
    .flag("allow-weaker", \.allowWeaker, "Agree to settings that protect less"),
    .yes(\.yes, "Import without asking"),
  ]

  static let operands: [Operand<Arguments>] = [
    .one("FILE|URL", \.file, "The document, - for standard input").completing(.file).input()
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let session = try context.session()
    let file = try PinFile(
      arguments.file, arguments.format, host: arguments.host,
      hostHint: context.commandLine(adding: "--host", "HOST"),
      formatHint: context.commandLine(adding: "--format", "FORMAT"))
    let bytes =
      try await file.isURL
      ? session.pinning.fetchPinSet(file.path)
      : context.read(file.path, "the pins", limit: PinFormat.maximumSize)
    if arguments.signedBy != nil || arguments.format == nil && SignedPinSet.isLikely(bytes) {
      return try await runSigned(bytes, arguments, session, context)
    }
    let (format, imported) = try file.pins(in: bytes)
    try context.refuseLosses(
      imported.losses, isStrict: arguments.strict, "could not import all of '\(arguments.file)'")
    let differences = session.pinning.differences(
      to: imported.sets, replaces: arguments.replace,
      origin: PinOrigin(.import, "\(format.rawValue) \(arguments.file.inputName)"))
    try await agree(to: differences, arguments, session, context) {
      try await session.pinning.apply(differences)
    }
  }

  static func agree(
    to differences: [PinDifference], _ arguments: Arguments, _ session: ProfileSession,
    _ context: Context, _ apply: () async throws -> Void
  ) async throws {
    let changes = PinChanges(differences: differences, policy: session.profile.pinPolicy)
    if arguments.dryRun {
      return context.preview(changes.lines(context.noteWidth), rows.json(changes))
    }
    context.show(changes.lines(context.noteWidth), isAgreed: arguments.yes)
    guard !differences.isEmpty else {
      // A signed set is remembered all the same, so that no older one is used after it.
      try await apply()
      return context.report(changes, rows, "the pins are there already")
    }
    try await changes.agreeToWeaker(
      isAgreed: arguments.allowWeaker, refuses: arguments.yes || arguments.strict, in: context)
    try await context.confirm(
      "\(Self.words(differences, "Import", "Remove", "Change"))?", isAgreed: arguments.yes)
    try await apply()
    context.report(changes, rows, Self.words(differences, "imported", "removed", "changed"))
  }

  /// What is done with pins, by its verbs: `imported 2 new pins and removed 1 pin of 1 host`.
  private static func words(
    _ differences: [PinDifference], _ adds: String, _ removes: String, _ changes: String
  ) -> String {
    let added = differences.reduce(0) { $0 + $1.added.count }
    let removed = differences.reduce(0) { $0 + $1.removed.count }
    let start = added == 0 ? removes : removes.asciiLowercased
    let parts = [
      added == 0 ? nil : "\(adds) \(added.counted("new pin"))",
      removed == 0 ? nil : "\(start) \(removed.counted("pin"))",
    ].compactMap { $0 }
    return (parts.isEmpty ? "\(changes) the settings" : parts.joined(separator: " and "))
      + " of \(differences.count.counted("host"))"
  }
}

extension PinImportCommand {
  static func runSigned(
    _ bytes: [UInt8], _ arguments: Arguments, _ session: ProfileSession, _ context: Context
  ) async throws {
    let signers = try signers(arguments, session.profile, context)
    let signed = try SignedPinSet(bytes, signedBy: signers, at: context.now())
    let source = arguments.file == "-" ? "standard input" : arguments.file
    let differences = try session.pinning.differences(
      to: signed, replaces: arguments.replace, source: source)
    context.note("signed on \(signed.issued) by \(signed.signer)")
    try await agree(to: differences, arguments, session, context) {
      try await session.pinning.apply(differences, of: signed)
    }
  }

  private static func signers(
    _ arguments: Arguments, _ profile: Profile, _ context: Context
  ) throws -> PinSigners {
    guard let text = arguments.signedBy else {
      guard let signers = profile.pinUpdateKey.flatMap({ PinSigners(thumbprint: $0) }) else {
        throw Failure.usage(
          "--signed-by is missing, and the profile has no pinUpdateKey",
          hints: [
            ShellWord.sdkctl(of: profile.name, "profile", "set", "pinUpdateKey=THUMBPRINT")
          ])
      }
      return signers
    }
    if !FileStatus.exists(text), let signers = PinSigners(thumbprint: text) { return signers }
    let bytes = try context.read(text, "the key")
    return try PinSigners(keys: bytes)
  }
}
