extension OptionRow {
  /// What a registration may say of its software, and what becomes of it later.
  static let registration: [OptionRow] = [
    OptionRow(
      path: "register", long: "client-key-file", value: ("f", "FILE"), field: "clientKeyFile",
      result: "f", with: ["--client-id", "a"]),
    OptionRow(
      path: "register", long: "client-certificate", value: ("f", "FILE"),
      field: "clientCertificate", result: "f",
      with: ["--auth-method", "self_signed_tls_client_auth"]),
    OptionRow(
      path: "register", long: "certificate-san", value: ("dns", "KIND"),
      field: "certificateSAN", result: "dns", bad: ("x", "expected dns, uri, ip or email"),
      with: [
        "--auth-method", "tls_client_auth", "--client-key-file", "k", "--client-certificate", "f",
      ]),
    OptionRow(
      path: "register", long: "software-id", value: ("4NRB1", "ID"), field: "softwareID",
      result: "4NRB1"),
    OptionRow(
      path: "register", long: "software-version", value: ("1.2", "VERSION"),
      field: "softwareVersion", result: "1.2"),
    OptionRow(
      path: "register", long: "software-statement-file", value: ("f", "FILE"),
      field: "softwareStatement", result: "f"),
    OptionRow(
      path: "register", long: "contact", value: ("a@b.test", "ADDRESS"), field: "contacts",
      result: "a@b.test", twice: "a@b.test | a@b.test"),
    OptionRow(
      path: "register", long: "encrypted-answers", field: "encryptedAnswers", result: "true",
      twice: "true"),
    OptionRow(path: "register", long: "show", field: "show", result: "true", twice: "true"),
    OptionRow(path: "register", long: "update", field: "update", result: "true", twice: "true"),
    OptionRow(path: "deregister", long: "local", field: "local", result: "true", twice: "true"),
    OptionRow(
      path: "deregister", long: "yes", short: "y", field: "yes", result: "true", twice: "true"),
  ]
}
