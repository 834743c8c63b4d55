import JSON
import Primitives

/// The keys about client certificates and the services that issue them.
extension ProfileKey {
  static let identityKeys: [ProfileKey] = [
    ProfileKey(
      name: "applicationID", kind: .text,
      summary: "The application at SAP services; sent as X-SMP-APPID"),
    ProfileKey(
      name: "identity.obtain", kind: .choice(EnrolmentKind.allCases.map(\.rawValue)),
      summary: "Where client certificates come from if a server asks for one"),
    ProfileKey(
      name: "identity.when", kind: .choice(["asked", "refused"]),
      summary: "Whether one is obtained if a server asks (default), or only if it refuses"),
    ProfileKey(
      name: "identity.refusedStatus", kind: .words,
      summary: "HTTP statuses by which servers refuse a certificate, such as 401 403"),
    ProfileKey(
      name: "identity.url", kind: .url, summary: "The base URL of the enrolment service"),
    ProfileKey(
      name: "identity.attributesURL", kind: .url,
      summary: "URL of the attributes of certificates, from SAP's service"),
    ProfileKey(
      name: "identity.requestURL", kind: .url,
      summary: "Where SAP's certificate service issues certificates"),
    ProfileKey(
      name: "identity.retireURL", kind: .url,
      summary: "Where SAP's certificate service takes back renewed certificates"),
    ProfileKey(
      name: "identity.command", kind: .text,
      summary: "The program that prints a certificate and its key, with its arguments"),
    ProfileKey(
      name: "identity.key", kind: .choice(PrivateKeyType.allCases.map(\.rawValue)),
      summary: "The kind of key that is made for a certificate (p256)"),
    ProfileKey(
      name: "identity.subject", kind: .text,
      summary: "The subject to ask for, such as CN=alice,O=Example"),
    ProfileKey(
      name: "identity.names", kind: .words,
      summary: "Alternative names to ask for: DNS:host, email:address or URI:uri"),
    ProfileKey(
      name: "identity.label", kind: .text,
      summary: "The label of the authority (EST), or the profile's GUID (SLS)"),
    ProfileKey(
      name: "identity.user", kind: .text, summary: "The user name at the enrolment service"),
    ProfileKey(
      name: "identity.passwordFile", kind: .path,
      summary: "A file with the password at the enrolment service"),
    ProfileKey(
      name: "identity.token", kind: .choice(["user", "implicit", "anonymous"]),
      summary: "The slot whose token the enrolment service gets"),
    ProfileKey(
      name: "identity.profile", kind: .text,
      summary: "The profile of that slot, if another login than this profile's is needed"),
  ]
}

extension Profile {
  /// The application at SAP's mobile services, which requests to the profile's hosts name.
  public var applicationID: String? { self["applicationID"]?.string }

  /// The header field that names it.
  static let applicationIDField = "X-SMP-APPID"
}

/// The protocols of services that issue client certificates.
enum EnrolmentKind: String, CaseIterable, Sendable {
  /// Enrolment over Secure Transport (RFC 7030).
  case est
  /// SAP's certificate discovery service.
  case sap
  /// SAP's Secure Login Server.
  case sls
  /// A program that prints certificate and key.
  case command
}
