import Pinning
import Primitives
import SDKCore

/// What is printed about an identity, or about a request that waits for its certificate: all but the private key.
struct IdentityReport {
  /// One of the two.
  var identity: Identity?
  var request: RequestedIdentity?
  let now: Timestamp

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
