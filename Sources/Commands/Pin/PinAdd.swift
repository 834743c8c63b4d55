import Arguments
import JSON
import POSIX
import Pinning
import Primitives
import SDKCore

/// `sdkctl pin add` -- pin the keys of a server, of a file, or by hash.
enum PinAdd: Command {
  static let page = CommandInfo(
    name: "add", summary: "Pin the keys of a server or a file",
    description: """
      Adds pins to the profile: `sdkctl pin add api.example.com` connects to the host, shows its \
      validated certificate chain, asks, and pins the key of the leaf certificate, or those of \
      `--role`. A chain that does not validate is never pinned. Without a terminal the command \
      needs `--yes`.

      With `--proxy` the keys are those of an HTTPS proxy (`https_proxy`): a proxy \
      that has pins must show a pinned key, and one without pins only a chain to a trusted authority.

      A source is a host (`HOST`, `HOST:PORT` or a URL); a file with certificates, a certificate \
      request or a key, in PEM or DER; or a pin (`sha256/BASE64`, `sha256//BASE64`, \
      `pin-sha256="BASE64"` or 64 hexadecimal digits). Files and pins need `--host`.

      `--host` takes a pattern: `api.test` is that host, `*.api.test` every name with one more \
      label, `**.api.test` the host and all names below it, `api.test:8443` one port only. No \
      pattern reaches across a public suffix such as `co.uk`.

      `--policy enforce` needs two pins, so that a host stays in use when one key is lost. \
      `--no-backup` allows a single key.
      """,
    examples: [
      ("sdkctl pin add api.example.com", "Show a chain, and pin its leaf key"),
      (
        "sdkctl pin add api.example.com --role intermediate --yes",
        "Pin an intermediate authority, in a script"
      ),
      (
        "sdkctl pin add backup.csr --host api.example.com --role backup",
        "Pin a backup key"
      ),
    ],
    exitCodes: [3, 6, 7, 15], seeAlso: ["pin check", "pins"],
    json: "One object per pin, one per line: `host`, `pin`, `role`, `label`.",
    needs: [.network, .terminal])

  struct Arguments: ConnectingArguments {
    var sources: [String] = []
    var pattern: PinPattern?
    var roles: [PinRole] = []
    var subdomains = false
    var expires: Timestamp?
    var policy: PinPolicy?
    var comment: String?
    var noBackup = false
    var proxy = false
    var yes = false
    var connection = ConnectionArguments()
  }

  static let defaults = Arguments()

  static let options: [Option<Arguments>] =
    [
      .value("host", nil, "HOST", \.pattern, "Pin for this host, *.HOST, **.HOST or HOST:PORT")
        .completing(.dynamic("pinned-hosts")),
      .choices("role", nil, "ROLE", \.roles, "Pin these: leaf, intermediate, root or backup"),
      .flag("subdomains", nil, \.subdomains, "Apply the pins to all subdomains too"),
      .value(
        "expires", nil, "DATE", \.expires, "Refuse the host after this day (UTC) or time",
        parse: end),
      .choice("policy", nil, "POLICY", \.policy, "Enforce the pins of the host, or only report"),
      .value("comment", nil, "TEXT", \.comment, "Store this remark with the pins"),
      .flag("no-backup", nil, \.noBackup, "Enforce although there is no backup pin"),
      .flag("proxy", nil, \.proxy, "Pin an HTTPS proxy, not the servers behind it"),
      .flag("yes", "y", \.yes, "Pin without asking"),
    ] + .group(.connection, ConnectionArguments.options())

  static let operands: [Operand<Arguments>] = [
    .some("SOURCE", \.sources, "A host, a URL, a file or a pin").completing(.file)
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws(Failure) {
    var review = PinReview(context: context, isAgreed: arguments.yes)
    review.connection = arguments.connection
    var addition = PinAddition()
    addition.includesSubdomains = arguments.subdomains
    addition.expires = arguments.expires
    addition.policy = arguments.policy
    addition.comment = arguments.comment
    for source in arguments.sources {
      if let pin = Pin(source) {
        let role = arguments.roles.first ?? .leaf
        let key = PinnedKey(
          pin: pin, role: role, added: context.now(), origin: PinOrigin(.value))
        addition.add([key], to: try pattern(arguments))
      } else if !source.containsText("://"), source.contains("/") || FileStatus.exists(source) {
        let keys = try keys(in: source, arguments, context)
        let pattern = try pattern(arguments)
        if keys.count > 4 {
          try await context.confirm(
            "Pin all \(keys.count) keys of \(source) for \(pattern)?", isAgreed: arguments.yes)
        }
        addition.add(keys, to: pattern)
      } else if let place = PinPlace(source) {
        let keys = try await review.keys(
          of: place, roles: arguments.roles.isEmpty ? [.leaf] : arguments.roles)
        guard let own = PinPattern(host: place.host) else {
          throw .usage("'\(source)' is not a host name")
        }
        addition.add(keys, to: (arguments.pattern ?? own).of(proxy: arguments.proxy))
      } else {
        throw .usage("'\(source)' is not a host name, a file or a pin")
      }
    }
    try await review.add(addition, mayLackBackup: arguments.noBackup)
  }

  private static func pattern(_ arguments: Arguments) throws(Failure) -> PinPattern {
    guard let pattern = arguments.pattern else {
      throw .usage("--host is missing: a file or a pin does not name a host")
    }
    return pattern.of(proxy: arguments.proxy)
  }

  private static func keys(
    in file: String, _ arguments: Arguments, _ context: Context
  ) throws(Failure) -> [PinnedKey] {
    let bytes: [UInt8]
    do {
      bytes = try FileReader.read(file, limit: 1 << 20)
    } catch {
      throw Failure(.failure, "file_unreadable", "could not read the file \(error)")
    }
    let found = try translating(nil) { () throws(SDKError) in
      try PublicKeys.pins(in: bytes, of: file)
    }
    return found.enumerated().map { index, key in
      let role = arguments.roles.first ?? (index == 0 ? .leaf : .intermediate)
      return PinnedKey(
        pin: key.pin, role: role, label: key.label, added: context.now(),
        origin: PinOrigin(.file, String(file.split(separator: "/").last ?? "")))
    }
  }

  /// The first second at which the pins no longer hold: of a date, that of the day after it.
  static func end(_ text: String) throws(ValueError) -> Timestamp {
    guard let time = Timestamp(text) else { throw ValueError("not a date such as 2027-01-31") }
    return text.utf8.count == 10 ? time + 86_400 : time
  }
}
