import Arguments
import JOSE
import JSON
import POSIX
import Primitives
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
      response, each token is decoded, and so is each token of any other JSON document, such as an HTTP archive \
      (HAR), and of the lines of a log or of NDJSON: with its number, and the member or line that it comes from. Lines \
      without a token are skipped if other lines have one. If a token contains a token, the innermost one is printed, \
      and the headers around it.

      `--decrypt-key` decrypts encrypted tokens (RFC 7516) with a private key or shared secret: RSA-OAEP, \
      RSA-OAEP-256, ECDH-ES, AES key wrap and `dir`, with AES-GCM or AES-CBC and HMAC. `--key` \
      verifies the signature of a token that the key fits, but no claims (see {token verify}), and decrypts if \
      there is no other key. \
      Not supported, and reported as the error `unsupported`: RSA1_5; AES-GCM key wrap (A128GCMKW, \
      A192GCMKW, A256GCMKW); passwords (PBES2-HS256+A128KW, PBES2-HS384+A192KW, PBES2-HS512+A256KW); \
      RSA-OAEP-384 and RSA-OAEP-512; compression (`zip`); critical extensions (`crit`, `b64`); detached \
      payloads; several signatures or recipients.

      Of an SD-JWT (RFC 9901), the payload is printed as it was signed, and then the disclosures with the place \
      of their values, and the key binding.

      A token that is not a JWT is opaque: only the server knows its meaning.

      \(TokenReader.rule)
      """,
    examples: [
      ("sdkctl token decode", "Print the contents of the stored token"),
      ("sdkctl token decode --json token.jwt | jq .payload.sub", "Print one claim as JSON"),
      ("pbpaste | sdkctl token decode -", "Decode a token from elsewhere"),
      ("sdkctl token decode --field sub token.jwt", "Print one claim, raw"),
      ("sdkctl token decode --decrypt-key private.pem id_token.jwe", "Decrypt an ID token"),
      ("sdkctl token decode --json tokens.txt | jq -r .payload.exp", "Decode many tokens"),
      ("sdkctl token decode session.har", "Find and decode the tokens of an HTTP archive"),
    ],
    exitCodes: [4, 11], seeAlso: ["token", "token verify"],
    json: """
      One object per token, one per line: `header`, `payload` (null if it is encrypted), \
      `signature` (`status`: `unsigned`, `not-verified`, `verified`, `invalid`, or `none` of a decrypted token \
      that is not signed; `alg`, `kid`), `times` (`iat`, `nbf`, `exp` and `auth_time` as ISO 8601, \
      if they exist), `outer` (the headers of the tokens around it, if there are any), `encrypted` \
      (true, if there is no key), of an SD-JWT `claims` (with the disclosed ones), `disclosures` (each with \
      `path`, `value`, `salt` and `digest`), `undisclosed` (how many digests have no disclosure: not disclosed, \
      or decoys), `keyBinding` (`header` and `payload`) and `problem` (why disclosures and digests do not fit, \
      in place of `claims`), `name` (the member of a token response, or the path in another document) and `line` (of many lines). Of many tokens, one \
      that cannot be decoded is an object with `line` and `error` (`code`, `message`); an opaque \
      one of a token response has `name` and `opaque` (true). `--field` also finds claims; of many \
      tokens it prints a line for each, which is empty for one that is opaque, cannot be decoded or \
      does not have the field; the exit status is 1 if no token has it.
      """)

  struct Arguments: CommandArguments {
    var token = TokenChoice()
    var key: String?
    var decryptionKey: String?
  }

  static let options: [Option<Arguments>] =
    CredentialSlot.options(\.token.slot, "Decode") + [
      .flag("id-token", \.token.idToken, "Decode the stored ID token"),
      .value("key", "FILE", \.key, "Verify or decrypt with this key: PEM, DER or JWK")
        .completing(.file).input(),
      .value("decrypt-key", "FILE", \.decryptionKey, "Decrypt encrypted tokens with this key")
        .more(
          "Then `--key` verifies only. A key that decrypts a token does not verify what is inside."
        )
        .completing(.file).input(),
    ]

  static let operands: [Operand<Arguments>] = [
    .tokenFile("FILE", \.token.file, "The file with the tokens, or -")
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let keys = try arguments.key.map { try context.keyFile($0) }
    let decryptionKeys = try arguments.decryptionKey.map { try context.keyFile($0) }
    let source = try await TokenReader(page, context).source(arguments.token)
    if case .stored(let stored) = source, !stored.found.isJWT {
      throw Failure.notJWT(to: "decode", hints: stored.hints)
    }
    let decoding = TokenDecoding(
      keys: keys, decryptionKeys: decryptionKeys, form: BulkForm(context), now: context.now(),
      local: context.localTime)
    let isAlone = source.single.map { $0.count == 1 && $0[0].name == nil } ?? false
    var (results, number) = (TokenResults(), 0)
    try await source.forEach {
      decoding.results(of: $0)
    } consume: { (_, some) in
      results.add(some)
      for (place, text) in some.shown {
        number += 1
        let title = ["token \(number)"] + (place.isEmpty ? [] : [place])
        context.output.write((isAlone ? "" : title.joined(separator: ": ") + "\n") + text)
      }
      context.output.write(some.output)
      try? context.output.flush()
    }
    try results.requireSuccess(
      to: "decode", .tokensUndecodable, isOne: source.single != nil,
      namesLines: !decoding.form.isJSON)
  }
}

extension FoundToken {
  /// Whether it is a line of a log, a document or an assignment without a token.
  fileprivate var isProse: Bool {
    guard name == nil, !isJWT, !isTokenInJSON(text) else { return false }
    // What can be sent as a bearer token (RFC 6750 section 2.1) may be an opaque one.
    let end = text.utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    return !text.utf8.dropLast(end).allSatisfy {
      $0.isLetter || $0.isDigit || "-._~+/".utf8.contains($0)
    }
  }
}

/// Decodes tokens; the lines of each depend on nothing else.
private struct TokenDecoding: Sendable {
  let keys: KeyFile?
  /// The keys that only decrypt; without them `keys` decrypt, too.
  let decryptionKeys: KeyFile?
  let form: BulkForm
  let now: Timestamp
  let local: @Sendable (Timestamp) -> String?

  func results(of part: TokenPart) -> TokenResults {
    var results = TokenResults()
    part.forEachLine { line, tokens in
      do throws(JOSEError) {
        let tokens = try tokens.get()
        if line != nil, tokens.count == 1, tokens[0].isProse {
          results.skippedCount += 1
          return
        }
        let hasJWT = tokens.contains(where: \.isJWT)
        for token in tokens { add(token, amongJWTs: hasJWT, line, to: &results) }
      } catch {
        fail(Failure.unreadableToken(error, to: "decode"), line, &results)
      }
    }
    return results
  }

  private func add(
    _ token: FoundToken, amongJWTs: Bool, _ line: Int?, to results: inout TokenResults
  ) {
    guard token.isJWT || token.name == nil else {
      show(form.opaqueLines(token, amongJWTs: amongJWTs), token, line, &results)
      return results.count(line: line)
    }
    do throws(Failure) {
      let decoded = try decoded(token, line)
      let text = form.lines(
        decoded.json, text: decoded.text(at: now, colours: form.colours, local: local),
        fallback: { decoded.claims })
      show(text, token, line, &results)
      results.count(decoded.signature == .invalid ? Self.forged : nil, line: line)
    } catch {
      fail(error, line, &results)
    }
  }

  private func show(
    _ text: String, _ token: FoundToken, _ line: Int?, _ results: inout TokenResults
  ) {
    guard case .text = form else {
      results.output += text
      return
    }
    let copies = token.copyCount
    let place = [
      line.map { "line \($0)" }, token.name.map { Visible.line($0) },
      copies == 0 ? nil : "and \(copies) other place\(copies == 1 ? "" : "s")",
    ]
    results.shown.append((place.compactMap { $0 }.joined(separator: ", "), text))
  }

  private func decoded(_ token: FoundToken, _ line: Int?) throws(Failure) -> DecodedToken {
    guard token.isJWT else { throw Failure.notJWT(token, to: "decode") }
    do {
      let content = try TokenContent(token.text, decryptingWith: decryptionKeys ?? keys)
      // A key that decrypts is not that of the signer, whose key may be another one of the same file.
      let mayVerify =
        decryptionKeys != nil || content.outer.isEmpty || (keys?.entries.count ?? 0) > 1
      return DecodedToken(content, name: token.name, line: line, keys: mayVerify ? keys : nil)
    } catch {
      throw Failure.unreadableToken(error, to: "decode")
    }
  }

  /// Counts a failure; in place of one of many tokens an object, or an empty line, so that the lines
  /// stay in step with the input.
  private func fail(_ failure: Failure, _ line: Int?, _ results: inout TokenResults) {
    results.count(failure, line: line)
    guard let line else { return }
    let error: JSON = [
      "line": .int(Int64(line)),
      "error": ["code": .string(failure.code.word), "message": .string(failure.message)],
    ]
    switch form {
    case .json: results.output += error.serialized() + "\n"
    case .field: results.output += "\n"
    case .text: break
    }
  }

  private static let forged = Failure(
    .verification, .signatureInvalid,
    "could not verify the token: the signature was not made with the key of --key")
}
