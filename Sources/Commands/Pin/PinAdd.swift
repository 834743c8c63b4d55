import Arguments
import JSON
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

      Without a source it pins the hosts that the profile needs and that have no pins: those of its settings, \
      and those that the metadata of its issuer names.

      With `--proxy` the keys are those of an HTTPS proxy (`https_proxy`): a proxy \
      that has pins must show a pinned key, and one without pins only a chain to a trusted authority.

      A source is a host (`HOST`, `HOST:PORT` or a URL); a file with certificates, a certificate \
      request or a key, in PEM or DER, a PKCS #7 or PKCS #12 file, `-` for standard input; or a pin \
      (`sha256/BASE64`, `sha256//BASE64`, `pin-sha256="BASE64"` or 64 hexadecimal digits). Files and \
      pins need `--host`. The keys of a file are shown and asked for as those of a host; the role of a \
      certificate is that of its basicConstraints. Without `--role` the leaf keys are pinned, or all \
      keys if the certificates are only of authorities. A hash of a whole certificate is not a pin: it is refused if the \
      certificate is given too, and {pin check} finds it later.

      `--host` takes a pattern: `api.test` is that host, `*.api.test` every name with one more \
      label, `**.api.test` the host and all names below it, `api.test:8443` one port only. Without \
      it, a host with another port than 443 is pinned for that port only. No pattern reaches across a public suffix such as `co.uk`.

      `--policy enforce` needs two pins, so that a host stays in use when one key is lost. \
      `--no-backup` allows a single key.
      """,
    examples: [
      ("sdkctl pin add api.example.com", "Show a chain, and pin its leaf key"),
      ("sdkctl pin add", "Pin all hosts that the profile needs"),
      (
        "sdkctl pin add api.example.com --role intermediate --yes",
        "Pin an intermediate authority, in a script"
      ),
      (
        "sdkctl pin add backup.csr --host api.example.com --role backup --yes",
        "Pin a backup key"
      ),
    ],
    seeAlso: ["pin check", "pins"],
    json: "One object per pin, one per line: `host`, `pin`, `role`, `label`.",
    needs: [.network, .terminal])

  struct Arguments: CommandArguments {
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
    var files = PinFileArguments()
    var connection = ConnectionArguments()

    /// The roles to pin of a server: where no leaf key is pinned, servers replace theirs often.
    func roles(besides pins: PinSets) -> [PinRole] {
      guard roles.isEmpty else { return roles }
      let pinned = Set(pins.sets.flatMap { $0.keys.map(\.role) })
      let authorities = [PinRole.intermediate, .root].filter(pinned.contains)
      return pinned.contains(.leaf) || authorities.isEmpty ? [.leaf] : authorities
    }
  }

  static let options: [Option<Arguments>] =
    [
      .value("host", "HOST", \.pattern, "Pin for this host, *.HOST, **.HOST or HOST:PORT")
        .completing(.dynamic("pinned-hosts")),
      .choices("role", "ROLE", \.roles, "Pin these: leaf, intermediate, root or backup"),
      .flag("subdomains", \.subdomains, "Apply the pins to all subdomains too"),
      .value(
        "expires", "DATE", \.expires, "Refuse the host after this day (UTC) or time",
        parse: end),
      .choice("policy", "POLICY", \.policy, "Enforce the pins of the host, or only report"),
      .value("comment", "TEXT", \.comment, "Store this remark with the pins")
        .allowingEmpty(),
      .flag("no-backup", \.noBackup, "Enforce although there is no backup pin"),
      .flag("proxy", \.proxy, "Pin an HTTPS proxy, not the servers behind it"),
      .flag("yes", short: "y", \.yes, "Pin without asking"),
    ] + .group(.passwords, PinFileArguments.options.of(\.files))
    + .group(.connection, ConnectionArguments.options.of(\.connection))

  static let operands: [Operand<Arguments>] = [
    .any("SOURCE", \.sources, "A host, a URL, a file or a pin").completing(.file).input()
  ]

  /// The roles to pin of a server.
  private static func shownRoles(
    _ arguments: Arguments, _ context: Context
  ) throws -> [PinRole] {
    try arguments.roles(besides: context.session().pins)
  }

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let sources = try arguments.sources.map { try PinSource($0) }
    var review = PinReview(context: context, isAgreed: arguments.yes)
    review.connection = arguments.connection
    var reader = try PinFileReader(arguments.files, context)
    var addition = PinAddition(arguments)
    if sources.isEmpty {
      return try await review.pinProfile(addition, roles: try shownRoles(arguments, context))
    }
    var seen: [CertificateDetails] = []
    let hasServers = sources.contains { if case .server = $0 { true } else { false } }
    let roles = hasServers ? try shownRoles(arguments, context) : arguments.roles
    for source in sources {
      switch source {
      case .pin(let pin):
        let role = arguments.roles.first ?? .leaf
        let key = PinnedKey(
          pin: pin, role: role, added: context.now(), origin: PinOrigin(.value))
        addition.add([key], to: try pattern(arguments))
      case .file(let file):
        let found = try await reader.keys(in: file)
        seen += found.compactMap(\.certificate)
        let pattern = try pattern(arguments)
        addition.add(
          try await review.keys(found, of: file, for: pattern, roles: arguments.roles), to: pattern)
      case .server(let place):
        let keys = try await review.keys(
          of: place, roles: roles, seen: &seen)
        guard let own = place.pattern else {
          throw Failure.notHost(place.host)
        }
        addition.add(keys, to: (arguments.pattern ?? own).of(proxy: arguments.proxy))
      }
    }
    let typed = sources.compactMap { if case .pin(let pin) = $0 { pin } else { nil } }
    try context.refuseMistakes(typed, among: seen)
    try await review.add(addition, mayLackBackup: arguments.noBackup)
  }

  private static func pattern(_ arguments: Arguments) throws -> PinPattern {
    guard let pattern = arguments.pattern else {
      throw Failure.usage("--host is missing: a file or a pin does not name a host")
    }
    return pattern.of(proxy: arguments.proxy)
  }

  /// The first second at which the pins no longer hold: of a date, that of the day after it.
  static func end(_ text: String) throws(ValueError) -> Timestamp {
    guard let time = Timestamp(text) else { throw ValueError("not a date such as 2027-01-31") }
    return text.utf8.count == 10 ? time + 86_400 : time
  }
}

extension PinAddition {
  /// An addition without keys, with the settings of the options.
  fileprivate init(_ arguments: PinAdd.Arguments) {
    self.init()
    includesSubdomains = arguments.subdomains
    expires = arguments.expires
    policy = arguments.policy
    comment = arguments.comment
  }
}
