extension OptionRow {
  /// What the commands about identities take.
  static let identity: [OptionRow] =
    identityImport + identityExport + identityRequest + identityRenewal + [
      OptionRow(
        path: "identity show", long: "pem", field: "pem", result: "true", twice: "true"),
      OptionRow(
        path: "identity remove", long: "yes", short: "y", field: "yes", result: "true",
        twice: "true",
        with: ["n"]),
      OptionRow(
        path: "identity remove", long: "requested", field: "requested", result: "true",
        twice: "true", with: ["n"]),
      OptionRow(
        path: "identity check", long: "within", value: ("30d", "SPAN"), field: "window",
        result: "before(seconds: 2592000)",
        bad: ("soon", "not a time span such as 12h, 30d or 2w")),
      OptionRow(
        path: "identity check", long: "prometheus", value: ("p.prom", "FILE"), field: "prometheus",
        result: "p.prom"),
    ]

  private static let identityRenewal: [OptionRow] = [
    OptionRow(
      path: "identity renew", long: "all", field: "all", result: "true", twice: "true"),
    OptionRow(
      path: "profile import", long: "yes", short: "y", field: "yes", result: "true",
      twice: "true", with: ["f"]),
    OptionRow(
      path: "identity renew", long: "interactive", field: "interactive", result: "true",
      twice: "true"),
    OptionRow(
      path: "identity obtain", long: "replace", field: "replace", result: "true", twice: "true"),
    OptionRow(
      path: "identity obtain", long: "interactive", field: "interactive", result: "true",
      twice: "true"),
    OptionRow(
      path: "identity renew", long: "within", value: ("75%", "SPAN"), field: "window",
      result: "percent(75)",
      bad: ("0%", "not a percentage from 1% to 100%")),
    OptionRow(
      path: "identity obtain", long: "name", value: ("n", "NAME"), field: "name", result: "n",
      bad: ("a/b", "not a name of an identity")),
    OptionRow(
      path: "identity obtain", long: "seal", field: "seal", result: "true", twice: "true"),
  ]

  private static let badHost = ("*.com", "not a host name, nor '*.' and a domain of one owner")

  private static let identityImport: [OptionRow] = [
    OptionRow(
      path: "identity import", long: "host", value: ("*.a.test", "HOST"), field: "hosts",
      result: "*.a.test", bad: badHost, twice: "*.a.test | *.a.test", with: ["f"]),
    OptionRow(
      path: "identity import", long: "name", value: ("n", "NAME"), field: "name", result: "n",
      bad: ("a/b", "not a name of an identity"), with: ["f"]),
    OptionRow(
      path: "identity import", long: "replace", field: "replace", result: "true", twice: "true",
      with: ["f"]),
    OptionRow(
      path: "identity import", long: "allow-unusable", field: "acceptsUnusable",
      result: "true", twice: "true", with: ["f"]),
    OptionRow(
      path: "identity import", long: "key-file", value: ("k", "FILE"), field: "keyFile",
      result: "k", with: ["f"]),
    OptionRow(
      path: "identity import", long: "key-uri", value: ("pkcs11:", "URI"), field: "keyURI",
      result: "pkcs11:", with: ["f"]),
    OptionRow(
      path: "identity import", long: "key-alias", value: ("a", "NAME"), field: "keyAlias",
      result: "a", with: ["f"]),
    OptionRow(
      path: "identity import", long: "chain", value: ("c", "FILE"), field: "chainFile",
      result: "c", with: ["f"]),
    OptionRow(
      path: "identity import", long: "legacy", field: "legacy", result: "true", twice: "true",
      with: ["f"]),
    OptionRow(
      path: "identity import", long: "password-file", value: ("p", "FILE"), field: "passwordFile",
      result: "p", with: ["f"]),
    OptionRow(
      path: "identity import", long: "seal", field: "seal", result: "true", twice: "true",
      with: ["f"]),
  ]

  private static let pkcs12 = ["--format", "pkcs12"]

  private static let identityExport: [OptionRow] = [
    OptionRow(
      path: "identity export", long: "format", value: ("pkcs12", "FORMAT"), field: "format",
      result: "pkcs12", bad: ("der", "expected pem or pkcs12")),
    OptionRow(
      path: "identity export", long: "output", short: "o", value: ("f", "FILE"), field: "output",
      result: "f"),
    OptionRow(
      path: "identity export", long: "no-key", field: "noKey", result: "true", twice: "true"),
    OptionRow(
      path: "identity export", long: "legacy", field: "legacy", result: "true", twice: "true",
      with: pkcs12),
    OptionRow(
      path: "identity export", long: "curl", field: "curl", result: "true", twice: "true"),
    OptionRow(
      path: "identity export", long: "env", value: ("fish", "SHELL"), field: "shell",
      result: "fish", bad: ("csh", "expected sh, bash, zsh, fish, powershell, dotenv or github")),
    OptionRow(
      path: "identity export", long: "prefix", value: ("VAULT_", "PREFIX"), field: "prefix",
      result: "VAULT_", bad: ("A B", "not a prefix of letters, digits and _"),
      with: ["--env", "sh"]),
    OptionRow(
      path: "identity export", long: "password-file", value: ("p", "FILE"), field: "passwordFile",
      result: "p"),
    OptionRow(
      path: "identity export", long: "no-password", field: "noPassword", result: "true",
      twice: "true", with: pkcs12),
  ]

  private static let identityRequest: [OptionRow] = [
    OptionRow(
      path: "identity csr", long: "subject", value: ("CN=a", "NAME"), field: "subject",
      result: "CN=a"),
    OptionRow(
      path: "identity csr", long: "key-type", value: ("rsa3072", "TYPE"), field: "keyType",
      result: "rsa3072",
      bad: ("rsa", "expected p256, p384, p521, rsa2048, rsa3072, rsa4096 or ed25519")),
    OptionRow(
      path: "identity csr", long: "host", value: ("a.test", "HOST"), field: "hosts",
      result: "a.test", bad: badHost, twice: "a.test | a.test"),
    OptionRow(
      path: "identity csr", long: "same-key", field: "keepsKey", result: "true", twice: "true"),
    OptionRow(
      path: "identity csr", long: "key-uri", value: ("pkcs11:", "URI"), field: "keyURI",
      result: "pkcs11:"),
    OptionRow(
      path: "identity csr", long: "replace", field: "replaces", result: "true", twice: "true"),
    OptionRow(path: "identity csr", long: "der", field: "der", result: "true", twice: "true"),
    OptionRow(path: "identity csr", long: "seal", field: "seal", result: "true", twice: "true"),
    OptionRow(
      path: "identity csr", long: "dns", value: ("a.test", "NAME"), field: "dnsNames",
      result: "a.test", twice: "a.test | a.test"),
    OptionRow(
      path: "identity csr", long: "email", value: ("a@b.test", "ADDRESS"), field: "emailAddresses",
      result: "a@b.test", twice: "a@b.test | a@b.test"),
    OptionRow(
      path: "identity csr", long: "uri", value: ("urn:a", "URI"), field: "uris", result: "urn:a",
      twice: "urn:a | urn:a"),
    OptionRow(
      path: "identity csr", long: "ip", value: ("::1", "ADDRESS"), field: "ipAddresses",
      result: "::1", twice: "::1 | ::1"),
  ]

  /// The identity of a registration.
  static let registeredIdentity: [OptionRow] = ["register", "register update"].map { path in
    OptionRow(
      path: path, long: "identity", value: ("n", "NAME"), field: "identity", result: "n",
      bad: ("a/b", "not a name of an identity"),
      with: ["--auth-method", "self_signed_tls_client_auth"])
  }
}
