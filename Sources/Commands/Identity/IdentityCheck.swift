import Arguments
import Primitives
import SDKCore

enum IdentityCheck: Command {
  static let page = CommandInfo(
    name: "check", summary: "Check whether identities can be used",
    description: """
      Prints the condition of an identity; without a name, those of all. With `--quiet` it prints \
      nothing. The exit status tells the worst condition: 0 if all \
      are good, 11 if one is due for renewal, 9 if one cannot be used or there is none.

      An identity is due `--within` before it expires: `30d`, `12h`; or when that part of its \
      validity has passed: `75%`. The default is 66%.
      """,
    examples: [
      ("sdkctl identity check", "Check all identities"),
      (
        "sdkctl identity check api.example.com --within 30d -q || sdkctl identity renew",
        "Renew an identity in time"
      ),
    ],
    exitCodes: [9, 11], seeAlso: ["identity renew"],
    output: Check.rows.list)

  struct Arguments: CommandArguments {
    var names: [IdentityName] = []
    var window = RenewalWindow.standard
    var prometheus: String?
  }

  static let options: [Option<Arguments>] = [
    .value("within", "SPAN", \.window, "Report as due this long before the end: 30d, 75%"),
    .value("prometheus", "FILE", \.prometheus, "Write metrics for Prometheus; - is standard output")
      .completing(.file),
  ]

  static let operands: [Operand<Arguments>] = [
    .any("NAME", \.names, "An identity")
      .completing(.dynamic("identities"))
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    try ReportFile.requireOneOutput(["prometheus": arguments.prometheus], context)
    let session = try context.session()
    let store = session.identities.store()
    let names = try arguments.names.isEmpty ? store.names() : arguments.names
    let identities = try names.map { try store.identity(named: $0) }
    guard !identities.isEmpty else {
      throw Failure(.identity, "could not check the identities: '\(session.profile.name)' has none")
    }
    let metrics = try arguments.prometheus.map { try ReportFile($0) }
    let checks = identities.map { Check($0, arguments.window, at: context.now()) }
    if let metrics {
      try metrics.write(
        Self.metrics(checks, of: session.profile.name).map(\.text).joined(), in: context)
    }
    if metrics?.isOutput == true {
      // The metrics are the output.
    } else if context.globals.json || !context.globals.quiet {
      context.print(checks, Check.rows)
    }
    try throwWorst(checks, of: session.profile.name)
  }

  private static func throwWorst(
    _ checks: [Check], of profile: ProfileName
  ) throws {
    if let unusable = checks.first(where: { ![.good, .due].contains($0.condition) }) {
      throw Failure(
        .identity, "could not verify the identity '\(unusable.name)': it is \(unusable.words)")
    }
    if let due = checks.first(where: { $0.condition == .due }) {
      throw Failure(
        .identityDue, "could not verify the identity '\(due.name)': it is due for renewal",
        hints: [ShellWord.sdkctl(of: profile, "identity", "renew", due.name)])
    }
  }

  private static func metrics(_ checks: [Check], of profile: ProfileName) -> [MetricFamily] {
    var isGood = MetricFamily(
      name: "sdkctl_identity_ok", help: "Whether the client certificate can be used and is not due."
    )
    var end = MetricFamily(
      name: "sdkctl_identity_expires_timestamp_seconds", help: "When the client certificate ends.")
    for check in checks {
      let labels = [
        (name: "profile", value: profile.description),
        (name: "identity", value: check.name.description),
      ]
      isGood.samples.append(
        (
          labels + [(name: "condition", value: check.condition.rawValue)],
          check.condition == .good ? 1 : 0
        ))
      end.samples.append((labels, check.notAfter.seconds))
    }
    return [isGood, end]
  }

  private struct Check {
    let name: IdentityName
    let condition: IdentityCondition
    let notAfter: Timestamp
    let due: Timestamp

    init(_ identity: Identity, _ window: RenewalWindow, at now: Timestamp) {
      name = identity.name
      condition = identity.condition(at: now, window)
      notAfter = identity.chain.notAfter
      due = window.begins(in: identity.chain)
    }

    static let rows = Rows<Check>(
      .column("name", "IDENTITY", "the name") { $0.name.description },
      .column(
        "condition", "CONDITION", "as in {identity list}", tone: { $0.condition.tone }
      ) { $0.condition.rawValue },
      .column("expires", "EXPIRES", "when the certificate ends") { End($0.notAfter) },
      .member("due", "when it is due for renewal") { $0.due })

    var words: String {
      switch condition {
      case .good: "good"
      case .due: "due for renewal"
      case .expired: "expired"
      case .notYetValid: "not yet valid"
      case .wrongUsage: "not for TLS clients (extended key usage)"
      }
    }
  }
}
