import Arguments
import JOSE
import JSON
import POSIX
import SDKCore

/// `sdkctl token decode` -- print the contents of a JWT.
enum TokenDecode: Command {
  static let page = CommandInfo(
    name: "decode", summary: "Print the contents of a JWT",
    description: """
      Decodes JSON Web Tokens (RFC 7519), one per line, of a file or standard input (`-`), \
      without using the network: `sdkctl token decode token.jwt`. Without FILE it decodes the \
      stored access token of the profile, or with `--id-token` the ID token. The tokens are not \
      verified, and the output says so. The signature is not printed.

      Quotes, white space, `Bearer` and `Authorization:` around a token are ignored. Of a token \
      response, each token is decoded. If a token contains a token, the innermost one is printed, \
      and the headers around it.

      `--key` decrypts encrypted tokens (RFC 7516) with a private key or shared secret: RSA-OAEP, \
      RSA-OAEP-256, ECDH-ES, AES key wrap and `dir`, with AES-GCM or AES-CBC and HMAC. It also \
      verifies the signature of a token that the key fits, but no claims: see {token verify}. \
      Compressed tokens, RSA1_5 and passwords (PBES2) are not supported.

      A token that is not a JWT is opaque: only the server knows its meaning.
      """,
    examples: [
      ("sdkctl token decode", "Print the contents of the stored token"),
      ("sdkctl token decode --json token.jwt | jq .payload.sub", "Print one claim as JSON"),
      ("pbpaste | sdkctl token decode -", "Decode a token from elsewhere"),
      ("sdkctl token decode --field sub token.jwt", "Print one claim, raw"),
      ("sdkctl token decode --key private.pem id_token.jwe", "Decrypt an ID token"),
      ("sdkctl token decode --json tokens.txt | jq -r .payload.exp", "Decode many tokens"),
    ],
    exitCodes: [3, 4, 11], seeAlso: ["token", "token verify"],
    json: """
      One object per token, one per line: `header`, `payload` (null if it is encrypted), \
      `signature` (`status`: `not-verified`, `verified`, `invalid`, or `none` of a decrypted token \
      that is not signed; `alg`, `kid`), `times` (`iat`, `nbf`, `exp` and `auth_time` as ISO 8601, \
      if they exist), `outer` (the headers of the tokens around it, if there are any), `encrypted` \
      (true, if there is no key) and `name` (the member of a token response). Of many tokens, one \
      that cannot be decoded is an object with `line` and `error` (`code`, `message`); an opaque \
      one of a token response has `name` and `opaque` (true). `--field` also finds claims; of many \
      tokens it prints a line for each, which is empty for one that is opaque, cannot be decoded or \
      does not have the field; the exit status is 1 if no token has it.
      """)

  struct Arguments: CommandArguments {
    var file: String?
    var slot = CredentialSlot.user
    var idToken = false
    var key: String?
  }

  static let options: [Option<Arguments>] =
    CredentialSlot.options(\.slot, "Decode") + [
      .flag("id-token", nil, \.idToken, "Decode the stored ID token"),
      .value("key", nil, "FILE", \.key, "Decrypt with this key: PEM, DER or JWK").completing(.file),
    ]

  static let operands: [Operand<Arguments>] = [
    .optional("FILE", \.file, "The file with the tokens, or -").completing(.file)
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let keys: KeyFile? = if let key = arguments.key { try context.keyFile(key) } else { nil }
    guard let file = arguments.file else {
      let stored = try StoredToken(
        arguments.slot, idToken: arguments.idToken, to: "decode", context)
      guard stored.found.isJWT else { throw Failure.notJWT(to: "decode", hints: stored.hints) }
      return try show([stored.found], keys, context)
    }
    let stream = try TokenStream(file, context)
    guard let tokens = stream.single else {
      return try await BulkDecoding(keys: keys, context: context).run(stream)
    }
    guard !tokens.isEmpty else { throw Failure.emptyInput(to: "decode") }
    try show(tokens, keys, context)
  }

  /// Shows one token, or those of one token response.
  private static func show(
    _ tokens: [FoundToken], _ keys: KeyFile?, _ context: Context
  ) throws {
    let hasJWT = tokens.contains(where: \.isJWT)
    var isInvalid = false
    for token in tokens {
      guard token.isJWT else {
        guard token.name != nil else { throw Failure.notJWT(token, to: "decode") }
        context.output.write(BulkForm(context).opaqueLines(token, amongJWTs: hasJWT))
        continue
      }
      let decoded: DecodedToken
      do throws(JOSEError) {
        let content = try TokenContent(token.text, decryptingWith: keys)
        decoded = DecodedToken(content, name: token.name, keys: keys)
      } catch {
        throw Failure.undecodable(error)
      }
      isInvalid = isInvalid || decoded.signature == .invalid
      if context.globals.json {
        context.print(decoded.json, .compact, fallback: { decoded.claims })
      } else {
        context.output.write(
          decoded.text(at: context.now(), barWidth: context.isTerminal ? 30 : nil))
      }
    }
    if isInvalid {
      throw Failure(
        .verification, "signature_invalid",
        "could not verify the token: the signature was not made with the key of --key")
    }
  }
}

extension Failure {
  static func undecodable(_ error: JOSEError) -> Failure {
    Failure(
      .failure, error.code == .decryptionFailed ? "decryption_failed" : "not_a_jwt",
      "could not decode the token: \(error.message)")
  }
}
