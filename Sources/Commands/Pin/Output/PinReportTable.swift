import POSIX
import Pinning
import Primitives
import SDKCore

/// Prints the findings of a check: a table for people, lines with tabs or JSON for programs.
struct PinReportTable {
  let findings: [PinFinding]
  let unchecked: [PinTargets.Unchecked]
  let context: Context

  /// Prints a row for each finding, or for those that are problems, and a summary of all.
  func print(onlyProblems: Bool) {
    let shown = findings.filter { !onlyProblems || $0.status != .ok }
    context.print(
      shown.map { PinCheckRow($0) } + unchecked.map { PinCheckRow($0) }, PinCheckRow.rows)
    if context.globals.json { return }
    // A person reads the table before what is said about its rows.
    if context.isTerminal { try? context.output.flush() }
    for finding in shown {
      guard let cause = finding.cause else { continue }
      context.note("\(finding.endpoint.shown): \(cause)")
      for line in finding.details { context.note("  \(line)") }
    }
    for target in unchecked { context.note("\(target.name): \(target.cause)") }
    if context.isTerminal || onlyProblems { context.note(summary) }
  }

  private var hasAddresses: Bool { findings.contains { $0.endpoint.address != nil } }

  /// How many there are of each status: `12 hosts: 10 OK, 2 MISMATCH`.
  private var summary: String {
    let statuses = findings.map(\.status.rawValue) + unchecked.map(\.status.rawValue)
    let known =
      PinFinding.Status.allCases.map(\.rawValue)
      + [PinTargets.Unchecked.Status.notChecked, .invalid].map(\.rawValue)
    let counts = known.compactMap { status in
      let count = statuses.count { $0 == status }
      return count == 0 ? nil : "\(count) \(status)"
    }
    let noun = hasAddresses ? ("address", "addresses") : ("host", "hosts")
    return "\(statuses.count) \(statuses.count == 1 ? noun.0 : noun.1): "
      + counts.joined(separator: ", ")
  }
}

/// What a check says about an endpoint, or about what it could not check.
struct PinCheckRow {
  /// `nil` of what was not checked.
  private let finding: PinFinding?
  private let host: ShownHost
  private let status: (word: String, tone: Tone)
  private let message: String?

  init(_ finding: PinFinding) {
    (self.finding, host) = (finding, ShownHost(finding.endpoint))
    (status, message) = ((finding.status.rawValue, finding.status.tone), finding.cause)
  }

  init(_ target: PinTargets.Unchecked) {
    (finding, host, message) = (nil, ShownHost(target.name), target.cause)
    status = (target.status.rawValue, target.status == .invalid ? .bad : .plain)
  }

  static let rows = Rows<PinCheckRow>(
    .column("host", "HOST", ShownHost.meaning) { $0.host },
    .member("port", "its port") { $0.finding.map { Int64($0.endpoint.port) } },
    .column("status", "STATUS", "one of the words above", tone: { $0.status.tone }) {
      $0.status.word
    },
    .column("matched", "PIN", "the pin that matched") { $0.finding?.matched?.pin },
    .column("role", "ROLE", "its role") { $0.finding?.matched?.role.rawValue },
    .column("certificateExpires", "CERTIFICATE ENDS", "when its certificate ends") {
      $0.finding?.certificateExpires
    },
    .column("pinsExpire", "PINS END", "when the pins end") { $0.finding?.pinsExpire },
    .column("address", "ADDRESS", "the address, with `--all-addresses`") {
      $0.finding?.endpoint.address?.description
    },
    .list("chain", "the validated chain", chain) { row in
      row.finding?.presented.map { Array(zip($0.validated, $0.keys)) } ?? []
    },
    .list("pinned", "of a mismatch, the pins", PinnedKey.brief) {
      $0.finding?.mismatch?.pinned ?? []
    },
    .member("revocation", "`good`, `revoked`, `unknown`, `none` or `invalid`") {
      $0.finding?.presented?.revocation?.state.rawValue
    },
    .member("message", "the explanation") { $0.message })

  private static let chain = Rows<(CertificateDetails, ChainKey)>(
    .member("pin", "the pin of its key") { $0.1.pin },
    .member("role", "its role") { $0.1.role.rawValue },
    .member("subject", "the subject") { $0.0.subject },
    .member("notBefore", "when it begins") { $0.0.notBefore },
    .member("expires", "when it ends") { $0.0.notAfter })
}

extension [PinFinding] {
  func metrics(of profile: String, at now: Timestamp) -> [MetricFamily] {
    var isOK = MetricFamily(
      name: "sdkctl_pin_ok", help: "Whether the status of the host is OK.")
    var certificate = MetricFamily(
      name: "sdkctl_pin_certificate_expires_timestamp_seconds",
      help: "When the certificate of the pinned key ends.")
    var pins = MetricFamily(
      name: "sdkctl_pin_pins_expire_timestamp_seconds", help: "When the pins of the host end.")
    for finding in self {
      let labels =
        [
          (name: "profile", value: profile), (name: "host", value: finding.endpoint.host),
          (name: "port", value: String(finding.endpoint.port)),
        ] + [finding.endpoint.address].compactMap { $0.map { (name: "address", value: "\($0)") } }
      isOK.samples.append(
        (labels + [(name: "status", value: finding.status.rawValue)], finding.status == .ok ? 1 : 0)
      )
      if let end = finding.certificateExpires { certificate.samples.append((labels, end.seconds)) }
      if let end = finding.pinsExpire { pins.samples.append((labels, end.seconds)) }
    }
    let time = MetricFamily(
      name: "sdkctl_pin_check_timestamp_seconds", help: "When the hosts were checked.",
      samples: [([(name: "profile", value: profile)], now.seconds)])
    return [isOK, certificate, pins, time]
  }
}

extension PinFinding.Status {
  fileprivate var tone: Tone {
    switch exit {
    case .success: .plain
    case .pin, .network: .bad
    default: .warning
    }
  }
}
