import HTTP
import OpenSSL
import Pinning
public import SDKCore

/// The services that issue identities, and what each needs.
enum EnrolmentKind: String, CaseIterable, Sendable {
  /// Enrolment over Secure Transport (RFC 7030).
  case est
  /// SAP's certificate discovery service.
  case sap
  /// SAP's Secure Login Server.
  case sls
  /// A program that prints certificate and key.
  case command

  fileprivate var settings: [SettingNeed] {
    switch self {
    case .est, .sls: ["identity.url"]
    case .sap: ["identity.attributesURL", "identity.requestURL"]
    case .command: ["identity.command"]
    }
  }
}

/// The settings of enrolment services: those of the section `identity` that the core does not use.
enum EnrolmentKeys {
  static let obtain = Key<EnrolmentKind?>(
    "identity.obtain", .enrolment, .choice, .harmless,
    "Where client certificates come from if a server asks for one", example: "est",
    needs: { kind, _ in kind?.settings ?? [] })
  static let key = Key<PrivateKeyType?>(
    "identity.key", .enrolment, .choice, .harmless,
    "The kind of key that is made for a certificate (p256)", example: "p384")
  static let subject = Key<SubjectName?>(
    "identity.subject", .enrolment,
    .text("a name (RFC 4514) such as CN=alice,O=Example") { try? SubjectName($0) }, .harmless,
    "The subject to ask for, such as CN=alice,O=Example", example: "CN=alice,O=Example")
  static let names = Key<[AlternativeName]?>(
    "identity.names", .enrolment,
    .words("DNS:host, IP:address, email:address or URI:uri") { AlternativeName($0) }, .harmless,
    "Alternative names to ask for: DNS:host, IP:address, email:address or URI:uri",
    example: "DNS:host.example.com email:alice@example.com")
  static let url = Key<HTTPURL?>(
    "identity.url", .enrolment, .url, .address,
    "The base URL of the enrolment service, which gets the token of identity.token",
    example: "https://est.example.com")
  static let attributesURL = Key<HTTPURL?>(
    "identity.attributesURL", .enrolment, .url, .address,
    "URL of the attributes of certificates, from SAP's service",
    example: "https://cert.example.com/attributes")
  static let requestURL = Key<HTTPURL?>(
    "identity.requestURL", .enrolment, .url, .address,
    "Where SAP's certificate service issues certificates",
    example: "https://cert.example.com/request")
  static let retireURL = Key<HTTPURL?>(
    "identity.retireURL", .enrolment, .url, .address,
    "Where SAP's certificate service takes back renewed certificates",
    example: "https://cert.example.com/retire")
  static let command = Key<String?>(
    "identity.command", .enrolment, .text, .local,
    "The program that prints a certificate and its key, with its arguments",
    example: "/usr/local/bin/issue alice")
  static let label = Key<String?>(
    "identity.label", .enrolment,
    .text("text that can be in the path of a URL") { isPathPart($0) ? $0 : nil }, .harmless,
    "The label of the authority (EST), or the profile's GUID (SLS)", example: "clients")
  static let user = Key<String?>(
    "identity.user", .enrolment, .text, .harmless, "The user name at the enrolment service",
    example: "alice")
  static let passwordFile = Key<String?>(
    "identity.passwordFile", .enrolment, .path, .local,
    "A file with the password at the enrolment service", example: "/home/alice/est-password")
  static let token = Key<CredentialSlot?>(
    "identity.token", .enrolment, .choice, .enrolmentToken,
    "The slot whose token the enrolment service gets", example: "user")
  static let profile = Key<ProfileName?>(
    "identity.profile", .enrolment, .text("the name of a profile") { try? ProfileName($0) },
    .elsewhere,
    "The profile of that slot, if another login than this profile's is needed",
    example: "enrolment",
    needs: { _, _ in ["identity.token"] })

  static let rows: [ProfileKey] = [
    obtain.row, key.row, subject.row, names.row, url.row, attributesURL.row, requestURL.row,
    retireURL.row, command.row, label.row, user.row, passwordFile.row, token.row, profile.row,
  ]

  /// Whether a label stays in the place of the path that it is appended to (RFC 7030 section 3.2.2).
  private static func isPathPart(_ label: String) -> Bool {
    !label.utf8.contains(where: "?#".utf8.contains)
      && label.split(separator: "/").allSatisfy { $0 != "." && $0 != ".." }
  }
}

extension SettingHeading {
  fileprivate static let enrolment = SettingHeading("Enrolment service")
}

extension ModuleSettings {
  /// The settings of the section `identity` of a profile that say where certificates come from.
  public static let enrolment = ModuleSettings(EnrolmentKeys.rows)
}

extension ChangeRule<CredentialSlot?> {
  /// A token goes to the enrolment service.
  fileprivate static var enrolmentToken: Self {
    ChangeRule { old, _, servers in
      old == nil && servers.haveEnrolment ? nil : .elsewhere
    }
  }
}

extension ProfileServers {
  /// Whether the enrolment service is one of them, and gets tokens of this profile only.
  fileprivate var haveEnrolment: Bool {
    let keys = [
      EnrolmentKeys.url, EnrolmentKeys.attributesURL, EnrolmentKeys.requestURL,
      EnrolmentKeys.retireURL,
    ]
    return changed[EnrolmentKeys.profile] == nil
      && keys.compactMap { changed[$0] }.allSatisfy { contain(PinEndpoint($0)) }
  }
}
