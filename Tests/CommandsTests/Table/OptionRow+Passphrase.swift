extension OptionRow {
  /// The file that opens an identity: every command that sends requests to the server takes it.
  static let passphrase: [OptionRow] = passphrasePaths.map { path, words in
    OptionRow(
      path: path, long: "passphrase-file", value: ("p", "FILE"), field: "passphraseFile",
      result: "p", standsFirst: path == "exec", with: words)
  }

  private static let passphrasePaths: [(String, [String])] = [
    ("fetch", ["/"]), ("token", []), ("token refresh", []), ("token userinfo", []),
    ("token introspect", []), ("token revoke", []), ("login", []), ("login password", ["n"]),
    ("login assertion", []), ("login exchange", []), ("login form", []), ("logout", []),
    ("exec", ["c"]), ("register", []), ("register update", ["--scope", "s"]), ("deregister", []),
  ]

  /// The identity of a registration.
  static let registeredIdentity: [OptionRow] = ["register", "register update"].map { path in
    OptionRow(
      path: path, long: "identity", value: ("n", "NAME"), field: "identity", result: "n",
      bad: ("a/b", "not a name of an identity"),
      with: ["--auth-method", "self_signed_tls_client_auth"])
  }
}
