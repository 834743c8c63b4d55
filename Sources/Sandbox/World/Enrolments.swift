import JSON

/// The identities that were issued, and those that were revoked since.
struct Enrolments: Sendable {
  /// An identity that was issued.
  struct Issued: Sendable {
    let serial: String
    let subject: String
    /// `est`, `sap` or `sls`.
    let service: String
  }

  private(set) var issued: [Issued] = []
  private(set) var revoked: Set<String> = []
  /// The logins at the Secure Login Server, by their cookie.
  var secureLogins: [String: SecureLogin] = [:]

  mutating func note(_ certificate: Certificate, by service: String) {
    issued.append(
      Issued(
        serial: "\(certificate.serialNumber)", subject: "\(certificate.subject)", service: service))
  }

  /// Revokes all identities, or the one of that serial number; returns how many.
  mutating func revoke(_ serial: String?) -> Int {
    let serials = issued.map(\.serial).filter { serial == nil || $0 == serial }
    let before = revoked.count
    revoked.formUnion(serials)
    return revoked.count - before
  }

  func isRevoked(_ certificate: Certificate) -> Bool {
    revoked.contains("\(certificate.serialNumber)")
  }

  var json: JSON {
    [
      "count": .int(issued.count), "revoked": .int(revoked.count),
      "issued": .array(
        issued.suffix(100).map {
          [
            "serial": .string($0.serial), "subject": .string($0.subject),
            "service": .string($0.service),
          ]
        }),
    ]
  }
}
