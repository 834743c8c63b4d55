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

      A source is a host (`HOST`, `HOST:PORT` or a URL); a file with certificates, a certificate \
      request or a key, in PEM or DER; or a pin (`sha256/BASE64`, `sha256//BASE64`, \
      `pin-sha256="BASE64"` or 64 hexadecimal digits). Files and pins need `--host`.
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

  struct Arguments: Sendable {
    var sources: [String] = []
    var host: String?
    var roles: [PinRole] = []
    var subdomains = false
    var expires: Timestamp?
    var yes = false
  }

  static let defaults = Arguments()

  static let options: [Option<Arguments>] = [
    .value("host", nil, "HOST", \.host, "Pin files and hashes for this host")
      .completing(.dynamic("pinned-hosts")),
    .choices("role", nil, "ROLE", \.roles, "Pin these: leaf, intermediate, root or backup"),
    .flag("subdomains", nil, \.subdomains, "Apply the pins to subdomains too"),
    .value(
      "expires", nil, "DATE", \.expires, "Refuse the host after this day (UTC) or time",
      parse: end),
    .flag("yes", "y", \.yes, "Pin without asking"),
  ]

  static let operands: [Operand<Arguments>] = [
    .some("SOURCE", \.sources, "A host, a URL, a file or a pin").completing(.file)
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws(Failure) {
    var review = PinReview(context: context, isAgreed: arguments.yes)
    review.includesSubdomains = arguments.subdomains
    review.expires = arguments.expires
    for source in arguments.sources {
      if let pin = Pin(source) {
        let role = arguments.roles.first ?? .leaf
        let key = PinnedKey(pin: pin, role: role, label: nil, added: context.now())
        try await review.add([key], to: try host(arguments))
      } else if !source.containsText("://"), source.contains("/") || FileStatus.exists(source) {
        let keys = try keys(in: source, arguments, context)
        let host = try host(arguments)
        if keys.count > 4 {
          try await context.confirm(
            "Pin all \(keys.count) keys of \(source) for \(host)?", isAgreed: arguments.yes)
        }
        try await review.add(keys, to: host)
      } else if let place = PinPlace(source) {
        try await review.pin(place, roles: arguments.roles.isEmpty ? [.leaf] : arguments.roles)
      } else {
        throw .usage("'\(source)' is not a host name, a file or a pin")
      }
    }
  }

  private static func host(_ arguments: Arguments) throws(Failure) -> String {
    guard let text = arguments.host else {
      throw .usage("--host is missing: a file or a pin does not name a host")
    }
    guard let host = HostName.normalized(text) else { throw .usage("'\(text)' is not a host name") }
    return host
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
      return PinnedKey(pin: key.pin, role: role, label: key.label, added: context.now())
    }
  }

  /// The first second at which the pins no longer hold: of a date, that of the day after it.
  static func end(_ text: String) throws(ValueError) -> Timestamp {
    guard let time = Timestamp(text) else { throw ValueError("not a date such as 2027-01-31") }
    return text.utf8.count == 10 ? time + 86_400 : time
  }
}
