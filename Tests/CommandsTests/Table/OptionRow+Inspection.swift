extension OptionRow {
  /// The commands that read tokens.
  static let inspection: [OptionRow] =
    decode
    + verify.map { row in
      var row = row
      row.path = "token verify"
      return row
    } + check + others

  private static let check: [OptionRow] = [
    OptionRow(
      path: "token test", long: "min-ttl", value: ("10m", "SPAN"), field: "minimumLifetime",
      result: "600.0 seconds", bad: ("-1", "not a time span such as 30, 1.5, 250ms, 5m or 2h")),
    OptionRow(
      path: "token test", long: "scope", value: ("a b", "SCOPE"), field: "scope", result: "a b",
      twice: "a b | a b"),
    OptionRow(
      path: "token test", long: "aud", value: ("api", "NAME"), field: "audiences", result: "api",
      twice: "api | api"),
    OptionRow(
      path: "token test", long: "acr", value: ("2", "CONTEXT"), field: "contexts", result: "2",
      twice: "2 | 2"),
    OptionRow(
      path: "token test", long: "iss", value: ("https://id.test", "ISSUER"), field: "issuer",
      result: "https://id.test"),
    OptionRow(
      path: "token test", long: "id-token", field: "idToken", result: "true", twice: "true"),
  ]

  private static let others: [OptionRow] = [
    OptionRow(path: "token lint", long: "strict", field: "strict", result: "true", twice: "true"),
    OptionRow(
      path: "token lint", long: "id-token", field: "idToken", result: "true", twice: "true"),
    OptionRow(
      path: "token diff", long: "id-token", field: "idToken", result: "true", twice: "true",
      with: ["a"]),
    OptionRow(
      path: "token diff", long: "exit-code", field: "exitCode", result: "true", twice: "true",
      with: ["a"]),
    OptionRow(
      path: "token jwk", long: "set", field: "form", result: "set", twice: "set", with: ["f"]),
    OptionRow(
      path: "token jwk", long: "pem", field: "form", result: "pem", twice: "pem", with: ["f"]),
    OptionRow(
      path: "token jwk", long: "thumbprint", field: "form", result: "thumbprint",
      twice: "thumbprint", with: ["f"]),
    OptionRow(
      path: "token jwk", long: "x5t", field: "form", result: "certificateHash",
      twice: "certificateHash", with: ["f"]),
    OptionRow(
      path: "token jwk", long: "generate", value: ("ES256", "ALGORITHM"), field: "generate",
      result: "ES256",
      bad: ("HS256", "expected an algorithm such as ES256, RS256, EdDSA or ECDH-ES"),
      without: ["f"], with: ["-o", "k"]),
    OptionRow(
      path: "token jwk", long: "private", field: "isPrivate", result: "true", twice: "true",
      with: ["f"]),
    OptionRow(
      path: "token jwk", long: "output", short: "o", value: ("k", "FILE"), field: "output",
      result: "k", with: ["f"]),
    OptionRow(
      path: "token jwk", long: "replace", field: "replace", result: "true", twice: "true",
      with: ["f"]),
    OptionRow(
      path: "token jwk", long: "kid", value: ("k", "ID"), field: "kid", result: "k", with: ["f"]),
    OptionRow(
      path: "token jwk", long: "use", value: ("enc", "USE"), field: "use", result: "enc",
      bad: ("x", "expected sig or enc"), with: ["f"]),
    OptionRow(
      path: "token jwk", long: "alg", value: ("ES256", "NAME"), field: "algorithm",
      result: "ES256", with: ["f"]),
  ]

  private static let decode: [OptionRow] = [
    OptionRow(
      path: "token decode", long: "key", value: ("k.pem", "FILE"), field: "key", result: "k.pem"),
    OptionRow(
      path: "token decode", long: "decrypt-key", value: ("k.pem", "FILE"), field: "decryptionKey",
      result: "k.pem"),
  ]

  private static let verify: [OptionRow] = [
    OptionRow(path: "", long: "id-token", field: "idToken", result: "true", twice: "true"),
    OptionRow(
      path: "", long: "alg", value: ("ES256K", "NAME"), field: "algorithms", result: "es256k",
      bad: ("none", "not a signature algorithm such as ES256"), twice: "es256k | es256k"),
    OptionRow(
      path: "", long: "leeway", value: ("0", "SPAN"), field: "leeway", result: "0.0 seconds",
      bad: ("soon", "not a time span such as 30, 1.5, 250ms, 5m or 2h")),
    OptionRow(
      path: "", long: "at", value: ("1970-01-01T00:01:00Z", "TIME"), field: "time",
      result: "1970-01-01T00:01:00Z",
      bad: ("soon", "not a time such as 2027-01-31T08:00:00Z")),
    OptionRow(
      path: "", long: "allow-no-exp", field: "allowsNoExpiration", result: "true", twice: "true"),
    OptionRow(
      path: "", long: "issuer", value: ("https://id.test", "URL"), field: "issuer",
      result: "https://id.test"),
    OptionRow(
      path: "", long: "jwks", value: ("keys.json", "URL|FILE"), field: "jwks", result: "keys.json"),
    OptionRow(path: "", long: "key", value: ("k.pem", "FILE"), field: "key", result: "k.pem"),
    OptionRow(
      path: "", long: "secret-file", value: ("s", "FILE"), field: "secretFile", result: "s"),
    OptionRow(
      path: "", long: "decrypt-key", value: ("k.pem", "FILE"), field: "decryptionKey",
      result: "k.pem"),
    OptionRow(
      path: "", long: "iss", value: ("https://id.test", "ISSUER"), field: "requiredIssuer",
      result: "https://id.test"),
    OptionRow(
      path: "", long: "aud", value: ("api", "NAME"), field: "audiences", result: "api",
      twice: "api | api"),
    OptionRow(path: "", long: "sub", value: ("alice", "NAME"), field: "subject", result: "alice"),
    OptionRow(
      path: "", long: "azp", value: ("app", "CLIENT"), field: "authorizedParty", result: "app"),
    OptionRow(path: "", long: "typ", value: ("at+jwt", "TYPE"), field: "type", result: "at+jwt"),
    OptionRow(path: "", long: "nonce", value: ("n", "NONCE"), field: "nonce", result: "n"),
    OptionRow(
      path: "", long: "kb-aud", value: ("v", "NAME"), field: "bindingAudience", result: "v"),
    OptionRow(
      path: "", long: "kb-nonce", value: ("m", "NONCE"), field: "bindingNonce", result: "m"),
    OptionRow(
      path: "", long: "access-token-file", value: ("t", "FILE"), field: "accessTokenFile",
      result: "t"),
    OptionRow(
      path: "", long: "bound-to", value: ("c.pem", "FILE"), field: "confirmationFile",
      result: "c.pem"),
  ]
}
