import Arguments
import OAuth

/// What `register` and `register update` can say of a client.
protocol ClientArguments: Sendable {
  var clientName: String? { get set }
  var scope: String? { get set }
  var port: UInt16? { get set }
  var redirectURI: String? { get set }
  var method: ClientAuthentication.Method? { get set }
  var clientKeyFile: String? { get set }
  var clientCertificate: String? { get set }
  var certificateSAN: AlternativeName? { get set }
  var encryptedAnswers: Bool { get set }
  var softwareID: String? { get set }
  var softwareVersion: String? { get set }
  var softwareStatement: String? { get set }
  var contacts: [String] { get set }
}

/// The kinds of names that a certificate can have beside its subject.
enum AlternativeName: String, CaseIterable, Sendable {
  case dns, uri, ip, email
}

extension ClientArguments {
  static var metadataOptions: [Option<Self>] {
    [
      .value("scope", nil, "SCOPE", \.scope, "Register this scope, not the profile's"),
      .value("client-name", nil, "NAME", \.clientName, "Set the name that people see"),
      .value("callback-port", nil, "PORT", \.port, "Register a fixed loopback port")
        .exclusive("redirect"),
      .value("redirect-uri", nil, "URI", \.redirectURI, "Register this redirect URI")
        .exclusive("redirect"),
      .choice("auth-method", nil, "METHOD", \.method, "Choose how the client proves itself"),
    ]
  }

  static var keyOptions: [Option<Self>] {
    [
      .secretFile("client-key", \.clientKeyFile, "Read the client's private key (PEM) from a file"),
      .value(
        "client-certificate", nil, "FILE", \.clientCertificate,
        "Use the certificate chain (PEM) of a file"
      ).completing(.file),
      .choice(
        "certificate-san", nil, "KIND", \.certificateSAN,
        "Register an alternative name, not the subject"),
      .flag(
        "encrypted-answers", nil, \.encryptedAnswers,
        "Have ID tokens and claims encrypted to this client"),
    ]
  }

  static var softwareOptions: [Option<Self>] {
    [
      .value("software-id", nil, "ID", \.softwareID, "Name the software, for all installations"),
      .value("software-version", nil, "VERSION", \.softwareVersion, "Set the software's version"),
      .value(
        "software-statement-file", nil, "FILE", \.softwareStatement,
        "Send the JWT that its publisher signed"
      ).completing(.file),
      .list("contact", nil, "ADDRESS", \.contacts, "Set who is responsible for the client"),
    ]
  }
}
