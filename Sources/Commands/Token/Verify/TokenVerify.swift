import Arguments
import JOSE
import JSON
import POSIX
import Primitives
import SDKCore

enum TokenVerify: Command {
  static let page = CommandInfo(
    name: "verify", summary: "Verify signature and claims of tokens",
    description: """
      Verifies JSON Web Tokens (RFC 7519), one per line, of a file or standard input (`-`), and \
      prints the result of every check: `sdkctl token verify --issuer https://id.test token.jwt`. \
      Without FILE it verifies the stored access token of the profile, or with `--id-token` the ID \
      token.

      Without options the keys are those that the profile's issuer publishes, and `iss` must be \
      that issuer. `--issuer` and `--jwks` use the keys of another server: with the pins and trust \
      settings of the profile that `--profile` names or that has the issuer, otherwise with the \
      system's authorities. Published keys are cached; if no cached key fits a token, they are \
      fetched once more. Published secrets, and keys that are published with their private part, \
      are not used. If the issuer has several tenants (Entra ID, `common`), `iss` must be that of \
      the tenant that `tid` names.

      A shared secret is one line of text, or any other content of the file as it is; keys are refused. It has at \
      least 32 bytes for HS256, 48 for HS384 and 64 for HS512 (RFC 7518 section 3.2).

      The signed token in an encrypted one (RFC 7516) is decrypted with a key of `--decrypt-key` or `--key`, and \
      verified. One that contains only claims is refused: whoever has the public key can make it.

      Of an SD-JWT (RFC 9901), every disclosure must belong to exactly one digest, and the claims are checked \
      with the disclosed ones in place. A key binding must be signed with the key that the issuer names \
      (`cnf`) and have the hash of what is presented; `--kb-aud` and `--kb-nonce` require it, for this \
      verifier.

      `exp`, `nbf` and `iat` are always checked, other claims if you give their value; of the stored ID token, \
      `aud` is known, and `at_hash` unless the access token was refreshed since. Tokens without \
      signature, unknown critical extensions and HMAC with anything but a shared secret are always \
      refused; ES256K is accepted only with `--alg ES256K`. What {token decode} lists as not supported is the \
      error `unsupported`.

      Lines without anything that looks like a token, such as those of a log, are skipped.

      The status is 0 if every token is valid, 16 if the time is the only thing wrong, and otherwise 11. The \
      results of many tokens are in the order of the input.

      \(TokenReader.rule)
      """,
    examples: [
      ("sdkctl token verify", "Verify the stored access token"),
      (
        "sdkctl token verify --issuer https://id.test --aud api --typ at+jwt token.jwt",
        "Verify a token as a resource server does"
      ),
      ("sdkctl token verify --jwks keys.json token.jwt", "Verify a token with the keys of a file"),
      ("sdkctl token verify --key public.pem - < tokens.txt", "Verify many tokens with one key"),
      (
        "sdkctl token verify --decrypt-key private.pem id_token.jwe",
        "Decrypt a token, and verify the one in it"
      ),
      ("sdkctl token verify --field verdict token.jwt", "Print one word"),
    ],
    exitCodes: [4, 11, 16], seeAlso: ["token decode", "token test", "token jwk"],
    output: VerdictReport.rows.stream,
    needs: .network)

  struct Arguments: CommandArguments {
    var token = TokenChoice()
    var keys = KeyOptions()
    var claims = ClaimOptions()
  }

  static let operands: [Operand<Arguments>] = [
    .tokenFile("FILE", \.token.file, "The file with the tokens, or -")
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let reader = TokenReader(page, context)
    let source = try await reader.source(arguments.token)
    // What only the server can read needs no keys.
    if let tokens = source.stream.single, !tokens.contains(where: \.isJWT) {
      guard let first = tokens.first else { throw Failure.emptyInput(to: "verify") }
      try reader.requireJWT(first, of: source, exit: .verification)
    }
    let keys = try await VerificationKeys(arguments.keys, context)
    var expectations = try arguments.claims.expectations(keys.origin, context)
    try await source.stored?.complete(&expectations)
    try await verify(source.stream, keys, expectations, context)
  }

  private static func verify(
    _ stream: TokenStream, _ keys: VerificationKeys, _ expectations: TokenExpectations,
    _ context: Context
  ) async throws {
    var verifier = TokenVerifier(keys: keys.keys, allowed: keys.allowed, expectations)
    verifier.decryptionKeys = keys.decryption
    let verification = TokenVerification(
      verifier: verifier, source: keys.source, form: BulkForm(context),
      showsSkipped: context.globals.verbosity > 0)
    // With the keys as the issuer publishes them now, if those of the cache did not help.
    var newer: TokenVerification?
    var published = keys.published
    var results = TokenResults()
    try await stream.forEach {
      verification.results(of: $0)
    } consume: { (part, some) in
      var some = some
      if some.needsNewerKeys, let source = published {
        published = nil
        let keys = try await source.newer()
        newer = keys.map { verification.with($0) }
      }
      if some.needsNewerKeys, let newer { some = newer.results(of: part) }
      results.add(some)
      context.write(some)
    }
    try results.requireSuccess(
      to: "verify", .tokensInvalid, isOne: stream.single != nil, namesLines: false)
  }
}

/// Verifies tokens with the one verifier, whether they are one or many.
private struct TokenVerification: Sendable {
  private(set) var verifier: TokenVerifier
  let source: String
  let form: BulkForm
  let showsSkipped: Bool

  func with(_ keys: JWKSet) -> TokenVerification {
    var changed = self
    changed.verifier.keys = keys
    return changed
  }

  func results(of part: TokenPart) -> TokenResults {
    var results = TokenResults()
    results.skippedCount = part.forEachLine { line, tokens in
      do throws(JOSEError) {
        let tokens = try tokens.get()
        // Of a token response, an opaque one is not for the person to verify.
        let signed = tokens.filter(\.isJWT)
        for token in signed.isEmpty ? tokens : signed {
          add(verifier.report(on: token.text), token.name, line, to: &results)
        }
      } catch {
        add(TokenReport([.failed(.format, error)]), nil, line, to: &results)
      }
    }
    return results
  }

  private func add(
    _ report: TokenReport, _ name: String?, _ line: Int?, to results: inout TokenResults
  ) {
    let verdict = VerdictReport(report: report, name: name, line: line, keySource: source)
    results.output += form.lines(
      VerdictReport.rows.json(verdict),
      text: line == nil
        ? verdict.text(colours: form.colours, withSkipped: showsSkipped) : verdict.summary)
    results.needsNewerKeys = results.needsNewerKeys || report.needsNewerKeys
    guard report.verdict != .valid else { return results.count(line: line) }
    var failure = Failure(report, "verify", name)
    if verifier.decryptionKeys == nil, !report.isUnsupported,
      report.failures.contains(where: { $0.name == .decryption })
    {
      failure.hints = ["name the private key with --decrypt-key"]
    }
    let chain = report.header?["x5c"]?.strings ?? []
    if !chain.isEmpty,
      report.failures.contains(where: { [.key, .signature].contains($0.name) })
    {
      failure.details.append(
        "the token brings a certificate chain (x5c): its first certificate has the key, and the authority's "
          + "certificate verifies the chain")
      // Longer chains are not met; each certificate needs a line.
      let files = ["leaf.der"] + (1..<4).map { "issuer\($0).der" }
      let extractions = zip(chain.indices, files).map { index, file in
        ShellWord.sdkctl("token", "decode", "--field", "header.x5c.\(index)", "FILE")
          + " | base64 -d > \(file)"
      }
      let issuers = files.prefix(extractions.count).dropFirst().map { "-untrusted \($0) " }.joined()
      failure.hints =
        extractions + [
          "openssl verify -CAfile CA \(issuers)leaf.der && sdkctl token verify --key leaf.der FILE"
        ]
    }
    results.count(failure, line: line)
  }
}

extension StoredToken {
  /// Adds what is known of a stored token.
  fileprivate func complete(_ expectations: inout TokenExpectations) async throws {
    guard let claims = (try? JWT(text))?.claims else { return }
    if kind == .id {
      let client = try await session.registration.current()?.clientID
      if expectations.audiences.isEmpty, let client { expectations.audiences = [client] }
      // A refresh may bring an access token without an ID token: then the hash is of an older one.
      if expectations.accessToken == nil, let hash = claims["at_hash"]?.string,
        let algorithm = (try? JWS(compact: text))?.algorithm,
        try hash == TokenHash.leftHalf(of: tokens.accessToken, algorithm: algorithm)
      {
        expectations.accessToken = tokens.accessToken
      }
    } else if expectations.confirmation == nil, tokens.isBound {
      let thumbprint = try await session.tokens.dpopThumbprint()
      expectations.confirmation = thumbprint.map { TokenConfirmation(key: $0) }
    }
  }
}

extension TokenVerify {
  static let options: [Option<Arguments>] =
    mainOptions + CredentialSlot.options(\.token.slot, "Verify")
    + .group(.keySource, keyOptions) + .group("Expected claims", claimOptions)

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
    .value("iss", "ISSUER", \.claims.required.issuer, "Require this issuer"),
    .list("aud", "NAME", \.claims.required.audiences, "Require one of these audiences"),
    .value("sub", "NAME", \.claims.required.subject, "Require this subject"),
    .value("azp", "CLIENT", \.claims.required.authorizedParty, "Require a token for this client"),
    .value("typ", "TYPE", \.claims.required.type, "Require this type, such as at+jwt"),
    .value("nonce", "NONCE", \.claims.required.nonce, "Require this nonce"),
    .value(
      "kb-aud", "NAME", \.claims.required.keyBinding.audience,
      "Require a key binding (SD-JWT) for this verifier"),
    .value(
      "kb-nonce", "NONCE", \.claims.required.keyBinding.nonce,
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
