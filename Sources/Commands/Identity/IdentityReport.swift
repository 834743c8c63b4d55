import Primitives
import SDKCore

/// What is printed about an identity, or about a request that waits for its certificate: all but the private key.
struct IdentityReport {
  private enum Entry {
    case identity(Identity)
    case request(RequestedIdentity)
  }

  private let entry: Entry
  private let now: Timestamp

  init(identity: Identity, now: Timestamp) { (entry, self.now) = (.identity(identity), now) }

  init(request: RequestedIdentity, now: Timestamp) { (entry, self.now) = (.request(request), now) }

  private var identity: Identity? {
    if case .identity(let identity) = entry { identity } else { nil }
  }

  private var request: RequestedIdentity? {
    if case .request(let request) = entry { request } else { nil }
  }

  private var leaf: CertificateDetails? { identity?.chain.details.first }

  private var hosts: [String] {
    (identity?.hosts ?? request?.hosts ?? []).map(\.description)
  }

  private var condition: String { identity?.condition(at: now).rawValue ?? "requested" }

  private var key: IdentityKey? { identity?.key ?? request?.key }

  static let rows = Rows<IdentityReport>(
    .column("name", "IDENTITY", "the name") {
      ($0.identity?.name ?? $0.request?.name)?.description ?? ""
    },
    .column("hosts", "HOSTS", "the hosts that it is for") { $0.hosts },
    .column("subject", "SUBJECT", "the subject") { $0.leaf?.subject ?? $0.request?.subject },
    .column(
      "condition", "CONDITION",
      "`good`, `due` (for renewal), `expired`, `not-yet-valid` or `wrong-usage`; `requested` of a request of "
        + "{identity csr} whose certificate was not imported yet",
      tone: { $0.identity?.condition(at: $0.now).tone ?? .plain }
    ) { $0.condition },
    .column("expires", "EXPIRES", "when the certificate ends") { $0.leaf.map { End($0.notAfter) } },
    .member("notBefore", "when it begins") { $0.leaf?.notBefore },
    .member("issuer", "its issuer") { $0.leaf?.issuer },
    .member("serial", "its serial number") { $0.leaf?.serial },
    .member("keyType", "the kind of key") { $0.leaf?.keyType ?? $0.request?.keyType },
    .member("keyPlace", "where the key is") { $0.key?.description },
    .member("keyURI", "the key in a security token") { $0.key?.uri },
    .member("origin", "where it comes from") { $0.identity?.origin.description },
    .member("obtained", "when it was obtained") { $0.identity?.obtainedAt },
    .member("requested", "when the certificate was requested") { $0.request?.requestedAt },
    .member("sha256", "the hash of the certificate") { $0.leaf?.sha256 },
    .member("x5t#S256", "its thumbprint (RFC 8705)") { $0.leaf?.thumbprint },
    .member("names", "its alternative names") { $0.leaf?.names ?? [] },
    .list("chain", "the certificates, leaf first", chain) { $0.identity?.chain.details ?? [] },
    .member("refusedBy", "the hosts for which it is set aside") {
      $0.identity?.refusedBy.map(\.description) ?? []
    })

  private static let chain = Rows<CertificateDetails>(
    .member("subject", "the subject") { $0.subject },
    .member("expires", "when it ends") { $0.notAfter },
    .member("sha256", "its hash") { $0.sha256 })

  /// Prints it: a line for each fact, or JSON.
  func print(_ context: Context) {
    if context.globals.json { return context.print(Self.rows.json(self)) }
    let lines =
      switch entry {
      case .identity(let identity): Self.lines(of: identity, at: now)
      case .request(let request): Self.lines(of: request)
      }
    for line in lines { context.print(line) }
  }

  private static func lines(of identity: Identity, at now: Timestamp) -> [String] {
    let details = identity.chain.details
    var lines = [
      "name:        \(identity.name)",
      "hosts:       \(identity.hosts.map(\.description).joined(separator: ", "))",
      "subject:     \(details[0].subject)", "issuer:      \(details[0].issuer)",
      "serial:      \(details[0].serial)", "valid from:  \(details[0].notBefore)",
      "valid until: \(details[0].notAfter) (\(Age.relative(details[0].notAfter, to: now)))",
      "condition:   \(identity.condition(at: now).rawValue)",
      "key:         \(details[0].keyType ?? "unknown"), \(identity.key)",
      "origin:      \(identity.origin)",
      "obtained:    \(identity.obtainedAt)", "SHA-256:     \(details[0].sha256 ?? "")",
      "x5t#S256:    \(details[0].thumbprint)",
    ]
    if let uri = identity.key.uri { lines.append("key URI:     \(uri)") }
    if !identity.refusedBy.isEmpty {
      let hosts = identity.refusedBy.map(\.description).joined(separator: ", ")
      lines.append("set aside:   \(hosts) refused it")
    }
    lines += details[0].names.map { "name (SAN):  \($0)" }
    lines += details.dropFirst().map { "issued by:   \($0.subject), until \($0.notAfter)" }
    return lines
  }

  private static func lines(of request: RequestedIdentity) -> [String] {
    var lines = [
      "name:        \(request.name)",
      "hosts:       \(request.hosts.map(\.description).joined(separator: ", "))",
      "subject:     \(request.subject ?? "-")", "condition:   requested",
      "key:         \(request.keyType), \(request.key)",
    ]
    if let time = request.requestedAt { lines.append("requested:   \(time)") }
    if let uri = request.key.uri { lines.append("key URI:     \(uri)") }
    return lines
  }
}

extension IdentityCondition {
  /// Red if the identity cannot be used.
  var tone: Tone {
    switch self {
    case .good: .plain
    case .due: .warning
    case .expired, .notYetValid, .wrongUsage: .bad
    }
  }
}
