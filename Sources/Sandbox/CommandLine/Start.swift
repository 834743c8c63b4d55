import Arguments
import JSON
import Primitives

/// `start`: serve here, or start another process that serves and return.
enum Start: Command {
  static let page = CommandInfo(
    name: "start", summary: "Start the sandbox and write the profile 'sandbox'",
    description: """
      Starts the sandbox, writes the profile `sandbox` with issuer, resources, certificate \
      authority and pins into the store of {sdkctl(1)}, and prints what to try next. No other \
      profile is touched. If sdkctl is not found, the commands that write the profile are printed.

      Without `--background`, it serves until a signal ends it. Everything that it remembers is in \
      memory and ends with it.
      """,
    examples: [
      ("sdkctl-sandbox start --background", "Start it, and return once it serves"),
      ("sdkctl-sandbox start --port 0", "On free ports"),
    ],
    output: Summary.output, needs: .network)

  struct Arguments: CommandArguments {
    var isBackground = false
    var port = 8443
    var mutualPort: Int?
    var leavesProfile = false
    var settings = Settings()
    var clientRoots: String?
    var trust: Trust?
    var json = false
  }

  /// An issuer and the file of its keys.
  struct Trust: ArgumentValue, Sendable {
    let issuer: String
    let file: String

    static func reading(_ text: String) throws(ValueError) -> Trust {
      let halves = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard halves.count == 2 else { throw ValueError("expected ISSUER=FILE") }
      return Trust(issuer: halves[0], file: halves[1])
    }
  }

  static let options: [Option<Arguments>] = [
    .flag("background", \.isBackground, "Return once it serves"),
    .value(
      "port", "N", \.port, "Port to listen on (8443; 0 finds a free one)",
      parse: Int.within(0...65_535)),
    .value(
      "mtls-port", "N", \.mutualPort, "Port for mutual TLS (the next one, or a free one)",
      parse: Int.within(0...65_535)),
    .flag("no-profile", \.leavesProfile, "Leave sdkctl's store alone"),
    .value(
      "token-lifetime", "S", \.settings.accessTokenLifetime,
      "Seconds an access token lives (300)", parse: Int.within(1...86_400)),
    .choice(
      "token-format", "F", \.settings.accessTokenFormat,
      "Access tokens: jwt (RFC 9068, the default) or opaque"),
    .value(
      "device-interval", "S", \.settings.deviceInterval,
      "Seconds between a device's polls (5)", parse: Int.within(1...60)),
    .value(
      "device-lifetime", "S", \.settings.deviceLifetime, "Seconds a device code lives (600)",
      parse: Int.within(1...86_400)),
    .value(
      "client-ca", "FILE", \.clientRoots, "Certificates of clients may lead there (PEM)"
    ).completing(.file),
    .value("trust", "ISSUER=FILE", \.trust, "Take its assertions, by the JWK set of the file"),
    .choice("flavour", "NAME", \.settings.flavour, "Token answers: standard or onegini")
      .more(
        """
        `onegini` adds `profile_id`, `usage_count` and `usage_limit` to the tokens of a person and \
        revokes them after ten refreshes.
        """),
    .flag(
      "payload-encryption", \.settings.payloadEncryption,
      "Resources refuse requests that are not encrypted"),
    .flag(
      "closed", \.settings.closedRegistration, "Registration needs the initial access token"
    ).more("{status} shows it."),
    .json(\.json),
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let directory = try context.directory()
    let settings = try settings(arguments)
    try directory.create()
    let background = Background(directory: directory, context: context)
    do {
      if arguments.isBackground, !background.isChild {
        let summary = Summary(address: try background.start(), directory: directory)
        try await summary.tell(arguments, context, isForeground: false)
      } else {
        try await Foreground(
          directory: directory, settings: settings, arguments: arguments,
          parent: background.isChild ? background : nil, context: context
        ).serve()
      }
    } catch let failure as Failure where failure.hint == otherPortHint {
      throw Failure(failure.message, hint: onFreePort(context.words), exit: failure.exit)
    }
  }

  /// The hint if a port cannot be used.
  static let otherPortHint = "sdkctl-sandbox start --port 0"

  /// The same command line, on free ports.
  static func onFreePort(_ words: [String]) -> String {
    var kept: [String] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      if ["--port", "--mtls-port"].contains(word) {
        _ = rest.popFirst()
      } else if !word.hasPrefix("--port="), !word.hasPrefix("--mtls-port=") {
        kept.append(word)
      }
    }
    return ShellWord.line(["sdkctl-sandbox"] + kept + ["--port", "0"])
  }

  private static func settings(_ arguments: Arguments) throws(Failure) -> Settings {
    var settings = arguments.settings
    if let file = arguments.clientRoots {
      let text = String(decoding: try StateDirectory.read(file), as: UTF8.self)
      guard let roots = try? Certificate.all(inPEM: text), !roots.isEmpty else {
        throw Failure("could not read certificates from '\(file)'", exit: .store)
      }
      settings.clientRoots = roots
    }
    settings.trustedIssuer = try arguments.trust.map(trustedIssuer)
    return settings
  }

  private static func trustedIssuer(_ trust: Trust) throws(Failure) -> TrustedIssuer {
    let document = try? JSON(parsing: try StateDirectory.read(trust.file))
    let keys = (document?["keys"]?.array ?? []).compactMap(VerificationKey.init(jwk:))
    guard !keys.isEmpty else {
      throw Failure("could not read keys from '\(trust.file)': it is no JWK set", exit: .store)
    }
    return TrustedIssuer(name: trust.issuer, keys: keys)
  }
}
