import JSON
import Primitives
import SDKCore

/// What is printed about an identity: all but the private key.
struct IdentityReport {
  let identity: Identity
  let now: Timestamp

  static let json = """
    An object: `name`, `hosts`, `subject`, `issuer`, `serial`, `notBefore`, `notAfter`, \
    `condition` (`good`, `due`, `expired`, `not-yet-valid` or `wrong-usage`), `keyType`, \
    `keyPlace`, `keyURI` (of a security token), `origin`, `obtained`, `sha256`, `x5t#S256`, `names` and `chain`, an array of \
    objects with `subject`, `notAfter` and `sha256`; `refusedBy`, the hosts for which it is set aside. A request that waits for \
    its certificate has `name`, `hosts`, `subject`, `condition` (`requested`), `keyType`, `keyPlace`, \
    `keyURI` and `requested`, the time.
    """

  /// Name, hosts, subject, condition and expiry.
  var cells: [TextTable.Cell] {
    let hosts = identity.hosts.map(\.description).joined(separator: ",")
    return [
      .init(identity.name.description), .init(hosts.isEmpty ? "-" : hosts),
      .init(identity.chain.subject), .init(identity.condition(at: now)),
      .init(identity.chain.notAfter, at: now),
    ]
  }

  var lines: [String] {
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

  var json: JSON {
    let details = identity.chain.details
    let leaf = details[0]
    var members: JSONObject = [
      "name": .string(identity.name.description),
      "hosts": .strings(identity.hosts.map(\.description)), "subject": .string(leaf.subject),
      "issuer": .string(leaf.issuer), "serial": .string(leaf.serial),
      "notBefore": .string(leaf.notBefore.description),
      "notAfter": .string(leaf.notAfter.description),
      "condition": .string(identity.condition(at: now).rawValue),
      "keyType": .string(leaf.keyType ?? "unknown"), "keyPlace": .string(identity.key.description),
      "origin": .string(identity.origin.description),
      "obtained": .string(identity.obtainedAt.description), "sha256": JSON(leaf.sha256),
      "x5t#S256": .string(leaf.thumbprint), "names": .strings(leaf.names),
      "chain": .array(
        details.map {
          [
            "subject": .string($0.subject), "notAfter": .string($0.notAfter.description),
            "sha256": JSON($0.sha256),
          ]
        }),
    ]
    if let uri = identity.key.uri { members["keyURI"] = .string(uri) }
    if !identity.refusedBy.isEmpty {
      members["refusedBy"] = .strings(identity.refusedBy.map(\.description))
    }
    return .object(members)
  }
}

extension TextTable.Cell {
  /// Whether an identity can be used; red if it cannot.
  init(_ condition: IdentityCondition) {
    let tone: Tone =
      switch condition {
      case .good: .plain
      case .due: .warning
      case .expired, .notYetValid, .wrongUsage: .bad
      }
    self.init(condition.rawValue, tone)
  }
}
