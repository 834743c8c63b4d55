import Arguments
import JOSE
import Primitives
import SDKCore

extension TokenVerify {
  static let options: [Option<Arguments>] =
    mainOptions + CredentialSlot.options(\.token.slot, "Verify")
    + .group(.keySource, keyOptions) + .group(.expectedClaims, claimOptions)

  private static let mainOptions: [Option<Arguments>] = [
    .flag("id-token", \.token.idToken, "Verify the stored ID token"),
    .list("alg", "NAME", \.keys.algorithms, "Accept only this algorithm")
      .completing(.choices(JWSAlgorithm.allCases.map(\.rawValue))),
    .value("leeway", "SPAN", \.claims.leeway, "Allow clocks to differ by this time (60s)"),
    .time("at", \.claims.time, "Check the times at TIME, not now"),
    .flag("allow-no-exp", \.claims.allowsNoExpiration, "Accept a token without expiration"),
  ]

  private static let keyOptions: [Option<Arguments>] = [

    .value("issuer", "URL", \.keys.issuer, "Use the published keys of this issuer")
      .exclusive("keys"),
    .value("jwks", "URL|FILE", \.keys.jwks, "Use the keys of this JWK Set")
      .completing(.file).input().exclusive("keys"),
    .value("key", "FILE", \.keys.key, "Use this key or certificate: PEM, DER or JWK")
      .completing(.file).input().exclusive("keys"),
    .secret("secret", \.keys.secretFile, "a shared secret (HS256)").exclusive("keys"),
    .value("decrypt-key", "FILE", \.keys.decryptionKey, "Decrypt encrypted tokens with this key")
      .completing(.file).input(),
  ]

  private static let claimOptions: [Option<Arguments>] = [
    .value("iss", "ISSUER", \.claims.requiredIssuer, "Require this issuer"),
    .list("aud", "NAME", \.claims.audiences, "Require one of these audiences"),
    .value("sub", "NAME", \.claims.subject, "Require this subject"),
    .value("azp", "CLIENT", \.claims.authorizedParty, "Require a token for this client"),
    .value("typ", "TYPE", \.claims.type, "Require this type, such as at+jwt"),
    .value("nonce", "NONCE", \.claims.nonce, "Require this nonce"),
    .value(
      "kb-aud", "NAME", \.claims.bindingAudience,
      "Require a key binding (SD-JWT) for this verifier"),
    .value(
      "kb-nonce", "NONCE", \.claims.bindingNonce,
      "Require a key binding (SD-JWT) with this nonce"),
    .value(
      "access-token-file", "FILE", \.claims.accessTokenFile,
      "Require at_hash of this access token"
    ).completing(.file).input(),
    .value(
      "bound-to", "FILE", \.claims.confirmationFile,
      "Require a binding to this certificate, key or identity"
    ).completing(.file).input(),
  ]
}

/// Where the keys of a verification come from.
struct KeyOptions: Sendable, Hashable {
  var issuer: String?
  var jwks: String?
  var key: String?
  var secretFile: String?
  var algorithms: [JWSAlgorithm] = []
  /// The file with the key that decrypts encrypted tokens.
  var decryptionKey: String?

  var isGiven: Bool {
    issuer != nil || jwks != nil || key != nil || secretFile != nil
  }
}
