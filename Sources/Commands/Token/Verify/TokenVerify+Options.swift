import Arguments
import JOSE
import Primitives
import SDKCore

extension TokenVerify {
  static let options: [Option<Arguments>] =
    mainOptions + CredentialSlot.options(\.token.slot, "Verify")
    + .group(.keySource, keyOptions) + .group(.expectedClaims, claimOptions)

  private static let mainOptions: [Option<Arguments>] = [
    .flag("id-token", nil, \.token.idToken, "Verify the stored ID token"),
    .list("alg", nil, "NAME", \.keys.algorithms, "Accept only this algorithm")
      .completing(.choices(JWSAlgorithm.allCases.map(\.rawValue))),
    .value("leeway", nil, "SECONDS", \.claims.leeway, "Accept clocks that differ so much (60)"),
    .time("at", \.claims.time, "Check the times at TIME, not now"),
    .flag("allow-no-exp", nil, \.claims.allowsNoExpiration, "Accept a token without expiration"),
  ]

  private static let keyOptions: [Option<Arguments>] =
    [
      .value("issuer", nil, "URL", \.keys.issuer, "Use the published keys of this issuer")
        .exclusive("keys"),
      .value("jwks", nil, "URL|FILE", \.keys.jwks, "Use the keys of this JWK Set")
        .completing(.file).exclusive("keys"),
      .value("key", nil, "FILE", \.keys.key, "Use this key or certificate: PEM, DER or JWK")
        .completing(.file).exclusive("keys"),
    ]
    + .sharedSecret(
      \.keys.secret.path, isBase64: \.keys.secret.isBase64,
      exclusive: "keys")
    + [
      .value(
        "decrypt-key", nil, "FILE", \.keys.decryptionKey, "Decrypt encrypted tokens with this key"
      )
      .completing(.file)
    ]

  private static let claimOptions: [Option<Arguments>] = [
    .value("iss", nil, "ISSUER", \.claims.requiredIssuer, "Require this issuer"),
    .list("aud", nil, "NAME", \.claims.audiences, "Require one of these audiences"),
    .value("sub", nil, "NAME", \.claims.subject, "Require this subject"),
    .value("azp", nil, "CLIENT", \.claims.authorizedParty, "Require a token for this client"),
    .value("typ", nil, "TYPE", \.claims.type, "Require this type, such as at+jwt"),
    .value("nonce", nil, "NONCE", \.claims.nonce, "Require this nonce"),
    .value(
      "kb-aud", nil, "NAME", \.claims.bindingAudience,
      "Require a key binding (SD-JWT) for this verifier"),
    .value(
      "kb-nonce", nil, "NONCE", \.claims.bindingNonce,
      "Require a key binding (SD-JWT) with this nonce"),
    .value(
      "access-token-file", nil, "FILE", \.claims.accessTokenFile,
      "Require at_hash of this access token"
    ).completing(.file),
    .value(
      "bound-to", nil, "FILE", \.claims.confirmationFile,
      "Require a binding to this certificate, key or identity"
    ).completing(.file),
  ]
}

/// Where the keys of a verification come from.
struct KeyOptions: Sendable, Hashable {
  var issuer: String?
  var jwks: String?
  var key: String?
  var secret = SecretOptions()
  var algorithms: [JWSAlgorithm] = []
  /// The file with the key that decrypts encrypted tokens.
  var decryptionKey: String?

  /// Whether they are read from standard input.
  var readInput: Bool { secret.onStandardInput || [key, jwks, decryptionKey].contains("-") }

  var isGiven: Bool {
    issuer != nil || jwks != nil || key != nil || secret.path != nil
  }
}
