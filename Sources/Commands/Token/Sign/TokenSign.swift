import Arguments
import JOSE
import JSON
import Primitives
import SDKCore

enum TokenSign: Command {
  static let page = CommandInfo(
    name: "sign", summary: "Make a signed token for tests",
    description: """
      Signs a JSON Web Token (RFC 7519) with a key of yours, and prints it: \
      `sdkctl token sign --key key.pem --iss https://id.test --aud api --sub alice`. Use it to test \
      a resource server with tokens of any content; nothing is stored, and no network is used.

      The claims are those of FILE, a JSON object, and those of the options, which replace claims of FILE. \
      `iat` is now, `exp` an hour later, and `jti` is random, unless they are given.

      The header has the algorithm, the type `JWT` and the key ID: that of the JWK, or \
      the thumbprint (RFC 7638) of a key pair without one.

      `alg` of the key says how it signs; without one RSA keys sign with RS256, EC keys with the algorithm of \
      their curve, Ed25519 and Ed448 with EdDSA, and secrets with HS256. Keys of `--encrypt-to` encrypt likewise: \
      RSA with RSA-OAEP-256, EC and X25519 with ECDH-ES+A256KW, a shared key with AES key wrap, and the content \
      with A256GCM.
      """,
    examples: [
      (
        "sdkctl token sign --key key.jwk --iss https://id.test --aud api --sub alice",
        "Make a token that is valid for an hour"
      ),
      (
        "sdkctl token sign --key key.pem --claim scope='read write' --claim roles:='[\"admin\"]'",
        "Add claims with text and with JSON"
      ),
      (
        "sdkctl token sign --key key.pem --exp 5m --at 2026-01-01T00:00:00Z claims.json",
        "Make a token that has expired"
      ),
      (
        "sdkctl token sign --key key.jwk --broken signature claims.json",
        "Make a token that a server must refuse"
      ),
      (
        "sdkctl token sign --secret-file secret --omit exp - < claims.json",
        "Sign with a shared secret, without expiration"
      ),
      (
        "sdkctl token sign --key key.jwk --encrypt-to reader.jwk claims.json",
        "Make a token that only one reader can read"
      ),
    ],
    exitCodes: [9], seeAlso: ["token jwk", "token lint", "token verify"],
    output: rows.document,
    needs: .terminal)

  private static let rows = Rows<(token: String, header: JSON, claims: JSON)>(
    .member("token", "the token") { $0.token },
    .member("header", "its header; of an encrypted token, that of the signed one in it") {
      $0.header
    },
    .member("claims", "the claims") { $0.claims })

  struct Arguments: CommandArguments {
    var claims = SignedClaims()
    var key = SigningKeyChoice()
    var encryption = EncryptionChoice()
    var defect: TokenDefect?
  }

  static let options: [Option<Arguments>] =
    [
      .list("claim", short: "c", "NAME=VALUE", \.claims.parameters, "Add a claim")
        .input { try Parameter.reading($0).file }.more(
          """
          `NAME=VALUE` is text, `NAME:=JSON` any other value, and `NAME:=@FILE` that of a file, as for \
          the parameters of {fetch}.
          """),
      .value("iss", "ISSUER", \.claims.issuer, "Set the issuer"),
      .value("sub", "NAME", \.claims.subject, "Set the subject"),
      .list("aud", "NAME", \.claims.audiences, "Set the audience; several make a list"),
      .value("exp", "SPAN", \.claims.lifetime, "Let it expire after this time (1h)"),
      .time("at", \.claims.time, "Make it as of TIME, not now"),
      .choices("omit", "CLAIM", \.claims.omitted, "Leave out iat, exp or jti"),
      .value("typ", "TYPE", \.claims.type, "Set the type in the header, such as at+jwt"),
      .list("header", short: "H", "NAME=VALUE", \.claims.header, "Add a field to the header")
        .input { try Parameter.reading($0).file },
      .choice("broken", "WHAT", \.defect, "Break it, so that a server must refuse it")
        .more(
          """
          `signature` and `claims` are changed behind the signature; `key` is another key under the same key \
          ID; `none` has no signature, and `hmac` is signed with the public key as a shared secret; `expired`, \
          `not-yet-valid`, `issuer` and `audience` have such claims; `critical` has an unknown critical \
          extension. A server that accepts one has a hole. `--json` shows the claims that were signed.
          """),
    ]
    + .group(
      .keySource,
      [
        .value("key", "FILE", \.key.keyFile, "Sign with this private key: PEM, DER or JWK")
          .completing(.file).input().exclusive("keys"),
        .keyURI(\.key.uri).exclusive("keys"),
        .secret("secret", \.key.secretFile, "a shared secret (HS256)").exclusive("keys"),
        .value("kid", "ID", \.key.kid, "Use the key of the file that has this ID").needs("key"),
        .value("alg", "NAME", \.key.algorithm, "Sign with this algorithm")
          .completing(.choices(JWSAlgorithm.allCases.map(\.rawValue))),
      ])
    + .group("Encryption", encryptionOptions)

  private static let encryptionOptions: [Option<Arguments>] = [
    .value("encrypt-to", "FILE", \.encryption.readerFile, "Encrypt to this key: JWK, PEM or DER")
      .completing(.file).input(),
    .choice(
      "encrypt-alg", "NAME", \.encryption.management, "Manage the content's key in this way"
    ).needs("encrypt-to"),
    .choice("encrypt-enc", "NAME", \.encryption.content, "Encrypt the content in this way")
      .needs("encrypt-to"),
  ]

  static let operands: [Operand<Arguments>] = [
    .optional("FILE", \.claims.file, "The file with the claims, or -").completing(.file).input()
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let signer = try await arguments.key.signer(context)
    let encrypt = try arguments.encryption.encryption(context)
    var claims = try arguments.claims.claims(context)
    arguments.defect?.change(&claims, at: arguments.claims.time ?? context.now())
    let header = try arguments.claims.header(kid: signer.kid, context)
    let (signed, token): (String, String)
    do throws(JOSEError) {
      if let defect = arguments.defect {
        signed = try defect.sign(header, .object(claims), by: signer)
      } else {
        signed = try signer.sign(
          header: header, payload: Array(JSON.object(claims).serialized().utf8))
      }
      token = try encrypt?(signed) ?? signed
    } catch {
      throw Failure(.signingFailed, "could not make the token: \(error.message)")
    }
    guard context.globals.json else { return context.print(token) }
    let shown = try JSON(parsing: Base64URL.decode(signed.prefix { $0 != "." }))
    context.print(rows.json((token, shown, .object(claims))))
  }
}
