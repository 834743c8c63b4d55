import HTTP

// Client certificates, and the services that issue them.
extension ProfileKeys {
  var identityObtain: Key<EnrolmentKind?> {
    Key(
      "identity.obtain", .certificates, .choice, .harmless,
      "Where client certificates come from if a server asks for one", example: "est",
      needs: { kind, _ in kind?.settings ?? [] })
  }
  var identityWhen: Key<String?> {
    Key(
      "identity.when", .certificates, .choice("asked", "refused"), .harmless,
      "Whether one is obtained if a server asks (default), or only if it refuses",
      example: "refused")
  }
  var identityRefusedStatus: Key<[String]> {
    Key(
      "identity.refusedStatus", .certificates, .words, .harmless, default: [],
      "HTTP statuses by which servers refuse a certificate, such as 401 403", example: "401 403")
  }
  var identityKey: Key<PrivateKeyType?> {
    Key(
      "identity.key", .certificates, .choice, .harmless,
      "The kind of key that is made for a certificate (p256)", example: "p384")
  }
  var identitySubject: Key<String?> {
    Key(
      "identity.subject", .certificates, .text, .harmless,
      "The subject to ask for, such as CN=alice,O=Example", example: "CN=alice,O=Example")
  }
  var identityNames: Key<[String]?> {
    Key(
      "identity.names", .certificates, .words, .harmless,
      "Alternative names to ask for: DNS:host, email:address or URI:uri",
      example: "DNS:host.example.com email:alice@example.com")
  }
  var identityURL: Key<HTTPURL?> {
    Key(
      "identity.url", .enrolment, .url, .address,
      "The base URL of the enrolment service, which gets the token of identity.token",
      example: "https://est.example.com")
  }
  var identityAttributesURL: Key<HTTPURL?> {
    Key(
      "identity.attributesURL", .enrolment, .url, .address,
      "URL of the attributes of certificates, from SAP's service",
      example: "https://cert.example.com/attributes")
  }
  var identityRequestURL: Key<HTTPURL?> {
    Key(
      "identity.requestURL", .enrolment, .url, .address,
      "Where SAP's certificate service issues certificates",
      example: "https://cert.example.com/request")
  }
  var identityRetireURL: Key<HTTPURL?> {
    Key(
      "identity.retireURL", .enrolment, .url, .address,
      "Where SAP's certificate service takes back renewed certificates",
      example: "https://cert.example.com/retire")
  }
  var identityCommand: Key<String?> {
    Key(
      "identity.command", .enrolment, .text, .local,
      "The program that prints a certificate and its key, with its arguments",
      example: "/usr/local/bin/issue alice")
  }
  var identityLabel: Key<String?> {
    Key(
      "identity.label", .enrolment, .text, .harmless,
      "The label of the authority (EST), or the profile's GUID (SLS)", example: "clients")
  }
  var identityUser: Key<String?> {
    Key(
      "identity.user", .enrolment, .text, .harmless, "The user name at the enrolment service",
      example: "alice")
  }
  var identityPasswordFile: Key<String?> {
    Key(
      "identity.passwordFile", .enrolment, .path, .local,
      "A file with the password at the enrolment service", example: "/home/alice/est-password")
  }
  var identityToken: Key<CredentialSlot?> {
    Key(
      "identity.token", .enrolment, .choice, .enrolmentToken,
      "The slot whose token the enrolment service gets", example: "user")
  }
  var identityProfile: Key<String?> {
    Key(
      "identity.profile", .enrolment, .text, .elsewhere,
      "The profile of that slot, if another login than this profile's is needed",
      example: "enrolment",
      needs: { _, _ in ["identity.token"] })
  }
}
