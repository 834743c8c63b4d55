import Arguments
import OAuth
import SDKCore

/// What `register` and `register update` can say of a client.
struct ClientArguments: Sendable {
  var clientName: String?
  var scope: String?
  /// The loopback ports to register, in the order in which logins try them.
  var ports: [UInt16] = []
  var redirectURI: String?
  var method: ClientAuthentication.Method?
  var clientKeyFile: String?
  var clientCertificate: String?
  var identity: IdentityName?
  var certificateSAN: AlternativeName?
  var encryptedResponses = false
  var softwareID: String?
  var softwareVersion: String?
  var softwareStatement: String?
  var contacts: [String] = []
}

/// The kinds of names that a certificate can have beside its subject.
enum AlternativeName: String, CaseIterable, Sendable {
  case dns, uri, ip, email
}

extension ClientArguments {
  static let metadataOptions: [Option<Self>] = [
    .value("scope", "SCOPE", \.scope, "Register this scope, not the profile's")
      .allowingEmpty(),
    .value("client-name", "NAME", \.clientName, "Set the name that people see"),
    .list("callback-port", "PORT", \.ports, "Register a fixed loopback port")
      .more("A login uses the first of them that is free.")
      .exclusive("redirect"),
    .value("redirect-uri", "URI", \.redirectURI, "Register this redirect URI")
      .exclusive("redirect"),
    .choice("auth-method", "METHOD", \.method, "Choose how the client authenticates"),
  ]

  /// The options about keys; `uses` are those of which the option for a key needs one.
  static func keyOptions(keyIsFor uses: String...) -> [Option<Self>] {
    [
      .secret("client-key", \.clientKeyFile, "the client's private key (PEM)").needs(uses),
      .value(
        "client-certificate", "FILE", \.clientCertificate,
        "Use the certificate chain (PEM) of a file"
      ).completing(.file).input(),
      .value(
        "identity", "NAME", \.identity, "Use the certificate of this identity"
      ) { (text) throws(ValueError) in
        try IdentityName.reading(text)
      }
      .completing(.dynamic("identities")).excludes("client-certificate", "client-key-file"),
      .choice(
        "certificate-san", "KIND", \.certificateSAN,
        "Register an alternative name, not the subject"),
      .flag(
        "encrypted-responses", \.encryptedResponses,
        "Have ID tokens and claims encrypted to this client"),
    ]
  }

  static let softwareOptions: [Option<Self>] = [
    .value("software-id", "ID", \.softwareID, "Name the software, for all installations"),
    .value("software-version", "VERSION", \.softwareVersion, "Set the software's version"),
    .value(
      "software-statement-file", "FILE", \.softwareStatement,
      "Send the JWT that its publisher signed"
    ).completing(.file).input(),
    .list("contact", "ADDRESS", \.contacts, "Set who is responsible for the client"),
  ]
}
