extension OptionRow {
  /// Tokens that are made here, and those of other programs.
  static let tokenMaking: [OptionRow] =
    signing.map { row in
      var row = row
      row.path = "token sign"
      return row
    }
    + ["login", "login password", "login assertion", "login exchange", "login token"].map { path in
      OptionRow(
        path: path, long: "token-param", value: ("a=b", "NAME=VALUE"), field: "tokenParameters",
        result: "TokenParameter(name: \"a\", value: \"b\")",
        bad: ("scope=x", "expected NAME=VALUE or NAME=@FILE, and no name that token requests have"),
        twice:
          "TokenParameter(name: \"a\", value: \"b\") | TokenParameter(name: \"a\", value: \"b\")",
        with: path == "login password" ? ["a"] : [])
    } + [
      OptionRow(
        path: "login token", long: "token-file", value: ("f", "FILE"), field: "tokenFile",
        result: "f"),
      OptionRow(
        path: "login token", long: "resource", value: ("https://r.test", "URL"),
        field: "resources", result: "https://r.test",
        bad: ("x", "expected an https URL without fragment"),
        twice: "https://r.test | https://r.test"),
    ]

  private static let signing: [OptionRow] = [
    OptionRow(
      path: "", long: "claim", short: "c", value: ("a=b", "NAME=VALUE"), field: "parameters",
      result: "Parameter(name: \"a\", value: \"b\", json: nil, file: nil)",
      bad: ("a", "expected NAME=VALUE or NAME:=JSON"),
      twice: "Parameter(name: \"a\", value: \"b\", json: nil, file: nil) | "
        + "Parameter(name: \"a\", value: \"b\", json: nil, file: nil)"),
    OptionRow(
      path: "", long: "iss", value: ("https://id.test", "ISSUER"), field: "issuer",
      result: "https://id.test"),
    OptionRow(path: "", long: "sub", value: ("alice", "NAME"), field: "subject", result: "alice"),
    OptionRow(
      path: "", long: "aud", value: ("api", "NAME"), field: "audiences", result: "api",
      twice: "api | api"),
    OptionRow(
      path: "", long: "exp", value: ("5m", "SPAN"), field: "lifetime", result: "300s",
      bad: ("5", "a unit is missing: 5d are days, 5w weeks, 5h hours")),
    OptionRow(
      path: "", long: "at", value: ("1970-01-01T00:01:00Z", "TIME"), field: "time",
      result: "1970-01-01T00:01:00Z",
      bad: ("soon", "not a time such as 2027-01-31T08:00:00Z")),
    OptionRow(
      path: "", long: "omit", value: ("exp", "CLAIM"), field: "omitted", result: "exp",
      bad: ("iss", "expected iat, exp or jti"), twice: "exp | exp"),
    OptionRow(path: "", long: "typ", value: ("at+jwt", "TYPE"), field: "type", result: "at+jwt"),
    OptionRow(
      path: "", long: "header", short: "H", value: ("a=b", "NAME=VALUE"), field: "header",
      result: "Parameter(name: \"a\", value: \"b\", json: nil, file: nil)",
      bad: ("a", "expected NAME=VALUE or NAME:=JSON"),
      twice: "Parameter(name: \"a\", value: \"b\", json: nil, file: nil) | "
        + "Parameter(name: \"a\", value: \"b\", json: nil, file: nil)"),
    OptionRow(path: "", long: "key", value: ("k.pem", "FILE"), field: "keyFile", result: "k.pem"),
    OptionRow(
      path: "", long: "key-uri", value: ("pkcs11:object=a", "URI"), field: "uri",
      result: "pkcs11:object=a"),
    OptionRow(
      path: "", long: "secret-file", value: ("s", "FILE"), field: "secretFile", result: "s"),
    OptionRow(
      path: "", long: "kid", value: ("k1", "ID"), field: "kid", result: "k1",
      with: ["--key", "k"]),
    OptionRow(
      path: "", long: "alg", value: ("PS256", "NAME"), field: "algorithm", result: "ps256",
      bad: ("none", "not a signature algorithm such as ES256")),
    OptionRow(
      path: "", long: "broken", value: ("key", "WHAT"), field: "defect", result: "key",
      bad: (
        "x",
        "expected signature, claims, key, none, hmac, expired, not-yet-valid, issuer, audience or critical"
      )),
    OptionRow(
      path: "", long: "encrypt-to", value: ("r.jwk", "FILE"), field: "readerFile",
      result: "r.jwk"),
    OptionRow(
      path: "", long: "encrypt-alg", value: ("dir", "NAME"), field: "management",
      result: "direct",
      bad: (
        "none",
        "expected RSA-OAEP, RSA-OAEP-256, ECDH-ES, ECDH-ES+A128KW, ECDH-ES+A192KW, ECDH-ES+A256KW, "
          + "A128KW, A192KW, A256KW or dir"
      ), with: ["--encrypt-to", "r"]),
    OptionRow(
      path: "", long: "encrypt-enc", value: ("A128GCM", "NAME"), field: "content",
      result: "a128GCM",
      bad: (
        "none",
        "expected A128CBC-HS256, A192CBC-HS384, A256CBC-HS512, A128GCM, A192GCM or A256GCM"
      ), with: ["--encrypt-to", "r"]),
  ]
}
