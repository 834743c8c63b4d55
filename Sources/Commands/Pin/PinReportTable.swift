import JSON
import Pinning
import Primitives
import SDKCore

/// Prints the findings of a check: a table for people, lines with tabs or JSON for programs.
struct PinReportTable {
  let findings: [PinFinding]
  let context: Context

  func print() {
    if context.globals.json {
      context.print(.array(findings.map(\.json)))
      return
    }
    context.print(
      TextTable(
        "HOST", "STATUS", "PIN", "ROLE", "CERTIFICATE ENDS", "PINS END",
        rows: findings.map { $0.cells(forPeople: context.isTerminal) }))
    for finding in findings {
      guard let cause = finding.cause else { continue }
      context.note("\(finding.endpoint.shown): \(cause)")
      for line in finding.details { context.note("  \(line)") }
    }
  }
}

extension PinFinding {
  fileprivate func cells(forPeople: Bool) -> [TextTable.Cell] {
    let rest = [
      matched?.pin.description, matched?.role.rawValue, certificateExpires?.description,
      pinsExpire?.description,
    ]
    return [
      TextTable.Cell(forPeople ? endpoint.shown : endpoint.name),
      TextTable.Cell(status.rawValue, status.tone),
    ] + rest.map { TextTable.Cell($0 ?? "-") }
  }

  fileprivate var json: JSON {
    let chain: [JSON] = presented?.json ?? []
    let pinned: [JSON]? = mismatch?.pinned.map(\.brief)
    return .members([
      "host": .string(endpoint.host), "port": .int(Int64(endpoint.port)),
      "status": .string(status.rawValue),
      "matched": JSON(matched?.pin.description), "role": JSON(matched?.role.rawValue),
      "certificateExpires": JSON(certificateExpires?.description),
      "pinsExpire": JSON(pinsExpire?.description), "chain": .array(chain),
      "pinned": pinned.map { .array($0) }, "message": JSON(cause),
    ])
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
