import Arguments
import OAuth
import SDKCore

extension Register {
  struct Arguments: Sendable {
    var clientID: String?
    var clientSecretStdin = false
    var clientSecretFile: String?
    var clientKeyFile: String?
    var clientCertificate: String?
    var certificateSAN: AlternativeName?
    var tokenStdin = false
    var tokenFile: String?
    var clientName: String?
    var scope: String?
    var port: UInt16?
    var redirectURI: String?
    var method: ClientAuthentication.Method?
    var softwareID: String?
    var softwareVersion: String?
    var softwareStatement: String?
    var contacts: [String] = []
    var encryptedAnswers = false
    var show = false
    var update = false
    var force = false
    var purpose = Purpose.client
    var idp: String?
    var browser = true
    var email: EmailAddress?
  }
}

extension Register.Arguments {
  static let options: [Option<Self>] = [
    .value("client-id", nil, "ID", \.clientID, "Use a client that exists"),
    .secretInput("client-secret", \.clientSecretStdin, "Read its secret from standard input"),
    .secretFile("client-secret", \.clientSecretFile, "Read its secret from a file"),
    .secretFile("client-key", \.clientKeyFile, "Read its private key (PEM) from a file"),
    .value(
      "client-certificate", nil, "FILE", \.clientCertificate,
      "Show the certificate chain (PEM) of a file"
    ).completing(.file),
    .choice(
      "certificate-san", nil, "KIND", \.certificateSAN,
      "Register an alternative name of it, not the subject"),
    .secretInput(
      "initial-access-token", \.tokenStdin, "Read the token for registration from standard input"),
    .secretFile("initial-access-token", \.tokenFile, "Read the token for registration from a file"),
    .value("client-name", nil, "NAME", \.clientName, "What people read at the server"),
    .value("scope", nil, "SCOPE", \.scope, "The scope to register, else the profile's"),
    .value("callback-port", nil, "PORT", \.port, "Register a fixed loopback port"),
    .value("redirect-uri", nil, "URI", \.redirectURI, "Register this redirect URI"),
    .choice("auth-method", nil, "METHOD", \.method, "How the client proves itself"),
    .value("software-id", nil, "ID", \.softwareID, "What software this is, for every installation"),
    .value("software-version", nil, "VERSION", \.softwareVersion, "Its version"),
    .value(
      "software-statement-file", nil, "FILE", \.softwareStatement,
      "What its publisher signed about it, a JWT"
    ).completing(.file),
    .list("contact", nil, "ADDRESS", \.contacts, "How to reach the people behind it"),
    .flag(
      "encrypted-answers", nil, \.encryptedAnswers,
      "Have ID tokens and claims encrypted to a key of this client"),
    .flag("show", nil, \.show, "Print what the server knows of the client"),
    .flag("update", nil, \.update, "Change the registration at the server"),
    .flag("force", "f", \.force, "Replace a registration that exists"),
    .flag("user", nil, \.purpose, setting: .user, "Register a user in the browser")
      .exclusive("purpose"),
    .flag("account", nil, \.purpose, setting: .account, "Make an account at the provider")
      .exclusive("purpose"),
    .flag(
      "reset-password", nil, \.purpose, setting: .passwordReset, "Get a new password there"
    ).exclusive("purpose"),
    .value("idp", nil, "NAME", \.idp, "Choose an identity provider for --user"),
    .flag("browser", nil, \.browser, "Open a browser (default)", negatable: true),
    .value("email", nil, "ADDRESS", \.email, "The mail address of that account") {
      (text) throws(ValueError) in
      guard let address = EmailAddress(text) else {
        throw ValueError("expected a mail address such as alice@example.com")
      }
      return address
    },
  ]
}
