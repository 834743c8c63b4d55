import JSON
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
    if context.globals.json {
      context.print(.array(shown.map(\.json) + unchecked.map(\.json)))
      return
    }
    context.print(
      TextTable(
        "HOST", "STATUS", "PIN", "ROLE", "CERTIFICATE ENDS", "PINS END",
        rows: shown.map { $0.cells(forPeople: context.isTerminal) }
          + unchecked.map { $0.cells(count: columnCount) }))
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

  /// Whether the rows are of addresses.
  private var hasAddresses: Bool { findings.contains { $0.endpoint.address != nil } }

  private var columnCount: Int { hasAddresses && !context.isTerminal ? 7 : 6 }

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

extension PinFinding {
  fileprivate func cells(forPeople: Bool) -> [TextTable.Cell] {
    let rest: [TextTable.Cell?] = [
      matched.map { .init($0.role.rawValue) }, certificateExpires.map { .init($0) },
      pinsExpire.map { .init($0) },
    ]
    // On a terminal the address stands behind the name.
    let address = forPeople ? nil : endpoint.address.map { TextTable.Cell($0.description) }
    return [
      TextTable.Cell(forPeople ? endpoint.shown : endpoint.name),
      TextTable.Cell(status.rawValue, status.tone), TextTable.Cell(matched?.pin),
    ] + rest.map { $0 ?? "-" } + [address].compactMap(\.self)
  }

  fileprivate var json: JSON {
    let chain: [JSON] = presented?.json ?? []
    let pinned: [JSON]? = mismatch?.pinned.map(\.brief)
    return .members([
      "host": .string(endpoint.host), "port": .int(Int64(endpoint.port)),
      "address": JSON(endpoint.address?.description),
      "status": .string(status.rawValue),
      "matched": JSON(matched?.pin.description), "role": JSON(matched?.role.rawValue),
      "certificateExpires": JSON(certificateExpires?.description),
      "pinsExpire": JSON(pinsExpire?.description), "chain": .array(chain),
      "pinned": pinned.map { .array($0) },
      "revocation": JSON(presented?.revocation?.state.rawValue), "message": JSON(cause),
    ])
  }
}

extension PinTargets.Unchecked {
  fileprivate func cells(count: Int) -> [TextTable.Cell] {
    [.init(name), .init(status.rawValue, status == .invalid ? .bad : .plain)]
      + [TextTable.Cell](repeating: "-", count: count - 2)
  }

  fileprivate var json: JSON {
    [
      "host": .string(name), "port": .null, "address": .null,
      "status": .string(status.rawValue), "matched": .null,
      "role": .null, "certificateExpires": .null, "pinsExpire": .null, "chain": [],
      "revocation": .null, "message": .string(cause),
    ]
  }
}

extension [PinFinding] {
  /// The findings as metrics.
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

extension PresentedChain {
  fileprivate var json: [JSON] {
    zip(validated, keys).map { certificate, key in
      [
        "pin": .string(key.pin.description), "role": .string(key.role.rawValue),
        "subject": .string(key.subject),
        "notBefore": .string(certificate.notBefore.description),
        "notAfter": .string(certificate.notAfter.description),
      ]
    }
  }
}

extension PinnedKey {
  fileprivate var brief: JSON {
    ["pin": .string(pin.description), "role": .string(role.rawValue)]
  }
}
