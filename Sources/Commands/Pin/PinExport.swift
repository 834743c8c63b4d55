import Arguments
import POSIX
import PinFormats
import Pinning
import Primitives
import SDKCore

enum PinExportCommand: Command {
  static let page = CommandInfo(
    name: "export", summary: "Write pins in the format of another program",
    description: """
      Prints the pins of the profile, or of some hosts, as another program declares them: \
      `sdkctl pin export --format android > network_security_config.xml`.

      The formats: `json` (that of pins.json), `lines` (a host and its pins a line), `curl` (the value of the pin option of curl, one host), \
      `okhttp` and `okhttp-java` (CertificatePinner), `android` (network security configuration), \
      `apple` (NSPinnedDomains) and `trustkit` (TSKConfiguration).

      With `--sign` the output is a signed pin set for {pin import}: a JWS of the `json` format with \
      the time and the end of its validity (`iat`, `exp`), which carries the public key.

      A warning names what a format cannot express; with `--strict` it is an error, and \
      nothing is printed. Remarks, labels and origins are exported as `json` only. nginx does not \
      check pins.
      """,
    examples: [
      ("sdkctl pin export --format apple api.example.com", "Print a declaration for an app"),
      (
        "curl --pinnedpubkey \"$(sdkctl pin export --format curl api.example.com)\" https://api.example.com/",
        "Use the pins of a host with curl"
      ),
      ("sdkctl pin export --sign team.key --valid 30d >work.jws", "Sign pins for a team"),
    ],
    exitCodes: [8], seeAlso: ["pin import", "pins"])

  struct Arguments: CommandArguments {
    var format = PinFormat.json
    var hosts: [String] = []
    var strict = false
    var sign: String?
    var valid = TimeSpan.days(30)
  }

  static let options: [Option<Arguments>] = [
    .choice("format", "FORMAT", \.format, "Write this format (json by default)"),
    .flag("strict", \.strict, "Fail if the format cannot express everything"),
    .value("sign", "FILE", \.sign, "Sign the pins with the private key of this file")
      .completing(.file).input(),
    .value("valid", "SPAN", \.valid, "Let the signed pins be used this long: 30d, 2w") {
      (text) throws(ValueError) in
      let span = try TimeSpan.reading(text)
      guard span.seconds > 0 else { throw ValueError("the pins would have expired at once") }
      return span
    }
    .needs("sign").more("The default is 30d."),
  ]

  static let operands: [Operand<Arguments>] = [
    .any("HOST", \.hosts, "A host or a pattern").completing(.dynamic("pinned-hosts"))
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let sets = try chosen(arguments, context)
    let export: PinExport
    do {
      export = try arguments.format.export(sets)
    } catch {
      throw Failure.usage("could not export the pins: \(error.cause)")
    }
    if let file = arguments.sign { return try sign(sets, file, arguments, context) }
    try context.refuseLosses(
      export.losses, isStrict: arguments.strict,
      "could not export the pins as "
        + "\(arguments.format.rawValue) without loss")
    context.write(document: export.text)
  }

  static func check(_ arguments: Arguments) throws(ValueError) {
    if arguments.sign != nil, arguments.format != .json {
      throw ValueError("only the format json can be signed")
    }
  }

  private static func sign(
    _ sets: [PinSet], _ file: String, _ arguments: Arguments, _ context: Context
  ) throws {
    let key = try context.secretBytes("key", orInput: "--sign -", file: file)
    let now = context.now()
    let text = try SignedPinSet.sign(
      sets, with: key, issued: now, expires: now + arguments.valid)
    context.print(text)
  }

  private static func chosen(
    _ arguments: Arguments, _ context: Context
  ) throws -> [PinSet] {
    let profile = try context.profileName()
    let pins = try context.pinSets()
    guard !arguments.hosts.isEmpty else { return pins.sets }
    var sets: [PinSet] = []
    for text in arguments.hosts {
      guard let pattern = PinPattern(argument: text) else {
        throw Failure.notHost(text)
      }
      guard let set = pins[pins.meant(pattern)] else { throw Failure.notPinned(pattern, profile) }
      sets.append(set)
    }
    return sets
  }
}

extension Context {
  /// Warns of what a document loses; if strict, fails instead.
  func refuseLosses(_ losses: [String], isStrict: Bool, _ refusal: String) throws {
    guard isStrict, !losses.isEmpty else {
      for loss in losses { warning(loss) }
      return
    }
    var failure = Failure(.lossy, refusal)
    failure.details = losses
    throw failure
  }
}
