enum EnrolmentKind: String, CaseIterable, Sendable {
  /// Enrolment over Secure Transport (RFC 7030).
  case est
  /// SAP's certificate discovery service.
  case sap
  /// SAP's Secure Login Server.
  case sls
  /// A program that prints certificate and key.
  case command

  /// The settings without which it issues nothing.
  var settings: [SettingNeed] {
    switch self {
    case .est, .sls: ["identity.url"]
    case .sap: ["identity.attributesURL", "identity.requestURL"]
    case .command: ["identity.command"]
    }
  }
}
