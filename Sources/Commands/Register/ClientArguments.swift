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

/// The arguments of a command whose options describe a client.
protocol DescribesClient: CommandArguments {
  var client: ClientArguments { get set }
}

/// The kinds of names that a certificate can have beside its subject.
enum AlternativeName: String, CaseIterable, Sendable {
  case dns, uri, ip, email
}

extension DescribesClient {
  static var metadataOptions: [Option<Self>] {
    [
      .value("scope", "SCOPE", \.client.scope, "Register this scope, not the profile's")
        .allowingEmpty(),
      .value("client-name", "NAME", \.client.clientName, "Set the name that people see"),
      .list("callback-port", "PORT", \.client.ports, "Register a fixed loopback port")
        .more("A login uses the first of them that is free.")
        .exclusive("redirect"),
      .value("redirect-uri", "URI", \.client.redirectURI, "Register this redirect URI")
        .exclusive("redirect"),
      .choice("auth-method", "METHOD", \.client.method, "Choose how the client authenticates"),
    ]
  }

  /// The options about keys; `uses` are those of which the option for a key needs one.
  static func keyOptions(keyIsFor uses: String...) -> [Option<Self>] {
    [
      .secretFile(
        "client-key", \.client.clientKeyFile, "Read the client's private key (PEM) from a file"
      ).needs(uses),
      .value(
        "client-certificate", "FILE", \.client.clientCertificate,
        "Use the certificate chain (PEM) of a file"
      ).completing(.file),
      .value(
        "identity", "NAME", \.client.identity, "Use the certificate of this identity"
      ) { (text) throws(ValueError) in
        try IdentityName.reading(text)
      }
      .completing(.dynamic("identities")).excludes("client-certificate", "client-key-file"),
      .choice(
        "certificate-san", "KIND", \.client.certificateSAN,
        "Register an alternative name, not the subject"),
      .flag(
        "encrypted-responses", \.client.encryptedResponses,
        "Have ID tokens and claims encrypted to this client"),
    ]
  }

  static var softwareOptions: [Option<Self>] {
    [
      .value("software-id", "ID", \.client.softwareID, "Name the software, for all installations"),
      .value("software-version", "VERSION", \.client.softwareVersion, "Set the software's version"),
      .value(
        "software-statement-file", "FILE", \.client.softwareStatement,
        "Send the JWT that its publisher signed"
      ).completing(.file),
      .list("contact", "ADDRESS", \.client.contacts, "Set who is responsible for the client"),
    ]
  }
}
