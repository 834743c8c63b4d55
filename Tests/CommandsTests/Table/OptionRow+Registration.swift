extension OptionRow {
  /// What a registration may say of the client and its software.
  static let register: [OptionRow] =
    client("register") + [
      OptionRow(
        path: "register", long: "client-id", value: ("app", "ID"), field: "clientID", result: "app"),
      OptionRow(
        path: "register", long: "client-secret-file", value: ("f", "FILE"),
        field: "clientSecretFile", result: "f", with: ["--client-id", "a"]),
      OptionRow(
        path: "register", long: "initial-access-token-file", value: ("f", "FILE"),
        field: "tokenFile", result: "f"),
      OptionRow(
        path: "register", long: "replace", field: "replace", result: "true", twice: "true"),
      OptionRow(
        path: "register", long: "client-key-file", value: ("f", "FILE"), field: "clientKeyFile",
        result: "f", with: ["--client-id", "a"]),
    ]

  static let registration: [OptionRow] =
    client("register update") + [
      OptionRow(
        path: "register update", long: "client-key-file", value: ("f", "FILE"),
        field: "clientKeyFile", result: "f",
        with: ["--auth-method", "self_signed_tls_client_auth", "--client-certificate", "c"]),
      OptionRow(path: "deregister", long: "local", field: "local", result: "true", twice: "true"),
      OptionRow(
        path: "deregister", long: "yes", short: "y", field: "yes", result: "true", twice: "true"),
    ]

  /// What is said of users and their accounts.
  static let registrationOfUsers: [OptionRow] =
    ["account create", "account reset-password"].flatMap { path in
      [
        OptionRow(
          path: path, long: "email", value: ("a@b.test", "ADDRESS"), field: "email",
          result: #"EmailAddress(text: "a@b.test")"#,
          bad: ("alice", "expected a mail address such as alice@example.com")),
        OptionRow(
          path: path, long: "browser", field: "browser", result: "true", negated: "false",
          twice: "true"),
      ]
    }

  private static func client(_ path: String) -> [OptionRow] {
    [
      OptionRow(
        path: path, long: "client-name", value: ("My app", "NAME"), field: "clientName",
        result: "My app"),
      OptionRow(
        path: path, long: "scope", value: ("openid", "SCOPE"), field: "scope",
        result: "openid"),
      OptionRow(
        path: path, long: "callback-port", value: ("8080", "PORT"), field: "ports",
        result: "8080", bad: ("65536", "out of range (0 to 65535)"), twice: "8080 | 8080"),
      OptionRow(
        path: path, long: "redirect-uri", value: ("http://127.0.0.1/cb", "URI"),
        field: "redirectURI", result: "http://127.0.0.1/cb"),
      OptionRow(
        path: path, long: "auth-method", value: ("client_secret_post", "METHOD"),
        field: "method", result: "post",
        bad: (
          "basic",
          "expected none, client_secret_basic, client_secret_post, client_secret_jwt, "
            + "private_key_jwt, client_assertion, tls_client_auth or self_signed_tls_client_auth"
        )),
      OptionRow(
        path: path, long: "client-certificate", value: ("f", "FILE"),
        field: "clientCertificate", result: "f",
        with: ["--auth-method", "self_signed_tls_client_auth"]),
      OptionRow(
        path: path, long: "certificate-san", value: ("dns", "KIND"),
        field: "certificateSAN", result: "dns", bad: ("x", "expected dns, uri, ip or email"),
        with: [
          "--auth-method", "tls_client_auth", "--client-key-file", "k", "--client-certificate", "f",
        ]),
      OptionRow(
        path: path, long: "software-id", value: ("4NRB1", "ID"), field: "softwareID",
        result: "4NRB1"),
      OptionRow(
        path: path, long: "software-version", value: ("1.2", "VERSION"),
        field: "softwareVersion", result: "1.2"),
      OptionRow(
        path: path, long: "software-statement-file", value: ("f", "FILE"),
        field: "softwareStatement", result: "f"),
      OptionRow(
        path: path, long: "contact", value: ("a@b.test", "ADDRESS"), field: "contacts",
        result: "a@b.test", twice: "a@b.test | a@b.test"),
      OptionRow(
        path: path, long: "encrypted-responses", field: "encryptedResponses", result: "true",
        twice: "true"),
    ]
  }
}
