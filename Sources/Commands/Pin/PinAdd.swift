import Arguments
import JSON
import Pinning
import Primitives
import SDKCore

enum PinAdd: Command {
  static let page = CommandInfo(
    name: "add", summary: "Pin the keys of a server or a file",
    description: """
      Adds pins to the profile: `sdkctl pin add api.example.com` connects to the host, shows its \
      validated certificate chain, asks, and pins the key of the leaf certificate, or those of \
      `--role`. A chain that does not validate is never pinned.

      Several servers are asked side by side; the question is one. `@FILE` names a list of sources; see {pins}.

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

      `--host` takes a pattern; see {pins}. Without it, a host with another port than 443 is pinned for that port only.

      `--policy enforce` needs two pins, so that a host stays in use when one key is lost. \
      `--no-backup` allows a single key.
      """,
    examples: [
      ("sdkctl pin add api.example.com", "Show a chain, and pin its leaf key"),
      ("sdkctl pin add", "Pin all hosts that the profile needs"),
      ("sdkctl pin add @hosts.txt --yes", "Pin the hosts of a list, in a script"),
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
    output: PinAddition.rows.stream, needs: [.network, .terminal])

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

    /// The roles to pin of servers: where no leaf key is pinned, servers replace theirs often.
    fileprivate func roles(besides pins: PinSets) -> [PinRole] {
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
      .yes(\.yes, "Pin without asking"),
    ] + .group(.passwords, PinFileArguments.options.of(\.files))
    + .group(.connection, ConnectionArguments.options.of(\.connection))

  static let operands: [Operand<Arguments>] = [
    .any("SOURCE", \.sources, "A host, a URL, a file, a pin or @FILE").completing(.file).input()
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let words = try context.expanded(arguments.sources)
    let sources = words.map { word in Result { try PinSource(word) } }
    let session = try context.session { arguments.connection.apply(to: &$0) }
    var review = PinReview(
      session, context: context, isAgreed: arguments.yes,
      roles: arguments.roles(besides: session.pins))
    review.addition = PinAddition(arguments)
    if arguments.sources.isEmpty {
      guard arguments.pattern == nil else {
        throw Failure.usage("SOURCE is missing: --host names the host that a key is pinned for")
      }
      return try await review.pinProfile()
    }
    guard !words.isEmpty else { throw Failure.usage("could not pin a key: the list is empty") }
    // Nothing is begun if a source cannot be pinned without --host.
    for case .success(let source) in sources {
      if case .server = source { continue }
      _ = try pattern(arguments, of: source)
    }
    var reader = try arguments.files.reader(context)
    var failures = ListFailures()
    var places: [PinEndpoint] = []
    var typed: [Pin] = []
    for source in sources {
      do {
        let source = try source.get()
        switch source {
        case .pin(let pin):
          guard arguments.roles.count <= 1 else {
            throw Failure.usage("a pin has one role: --role is given more than once")
          }
          let key = PinnedKey(
            pin: pin, role: arguments.roles.first ?? .leaf, added: context.now(),
            origin: PinOrigin(.value))
          review.addition.add([key], to: try pattern(arguments, of: source))
          typed.append(pin)
        case .file(let file):
          try review.show(
            try await reader.keys(in: file), of: file,
            pinnedFor: try pattern(arguments, of: source), roles: arguments.roles)
        case .server(let place): places.append(place)
        }
      } catch {
        failures.add(error, of: words.count, in: context)
      }
    }
    let errors = await review.show(places) { place in
      (arguments.pattern ?? place.pattern)?.of(proxy: arguments.proxy)
    }
    for error in errors { failures.add(error, of: words.count, in: context) }
    if !review.addition.keys.isEmpty {
      try context.refuseMistakes(typed, among: review.certificates)
      try await review.confirm()
      try await review.add(mayLackBackup: arguments.noBackup)
    }
    try failures.requireNone(of: words.count, to: "pin", "sources")
  }

  private static func pattern(
    _ arguments: Arguments, of source: PinSource
  ) throws -> PinPattern {
    if let pattern = arguments.pattern { return pattern.of(proxy: arguments.proxy) }
    var hint = "name the host of the key with --host HOST"
    if case .file(let file) = source, file != "-", !PinSource.isNamedAsKey(file) {
      hint = "`\(ShellWord.sdkctl("pin", "add", "@\(file)"))` pins the hosts of a list"
    }
    throw Failure.usage("--host is missing: a file or a pin does not name a host", hints: [hint])
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
