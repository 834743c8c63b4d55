import Arguments
import JOSE
import JSON
import POSIX
import Primitives
import SDKCore

enum TokenDecode: Command {
  static let page = CommandInfo(
    name: "decode", summary: "Print the contents of a JWT",
    description: """
      Decodes JSON Web Tokens (RFC 7519), one per line, of a file or standard input (`-`), \
      without using the network: `sdkctl token decode token.jwt`. Without FILE it decodes the \
      stored access token of the profile, or with `--id-token` the ID token. The tokens are not \
      verified, and the output says so. The signature is not printed.

      Quotes, white space, `Bearer` and `Authorization:` around a token are ignored. Each token of a token \
      response, of another JSON document such as an HTTP archive (HAR), and of the lines of a log is decoded; \
      lines without a token are skipped. If a token contains a token, the innermost one is printed, and the \
      headers around it.

      Encrypted tokens (RFC 7516) are decrypted with RSA-OAEP, RSA-OAEP-256, ECDH-ES, AES key wrap and `dir`, \
      with AES-GCM or AES-CBC and HMAC. `--key` verifies no claims: see {token verify}.

      Not supported, and reported as the error `unsupported`: RSA1_5; AES-GCM key wrap (A128GCMKW, \
      A192GCMKW, A256GCMKW); passwords (PBES2-HS256+A128KW, PBES2-HS384+A192KW, PBES2-HS512+A256KW); \
      RSA-OAEP-384 and RSA-OAEP-512; compression (`zip`); critical extensions (`crit`, `b64`); detached \
      payloads; several signatures or recipients.

      A token that is not a JWT is opaque: only the server knows its meaning.

      `--field` also finds claims. Of many tokens it prints a line for each, which is empty for one that is \
      opaque, cannot be decoded or does not have the field; the exit status is 1 if no token has it.

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
    output: output)

  private static let output = DecodedToken.rows.stream
    .or("Of a token that cannot be decoded, among many", UndecodedToken.rows.stream)
    .or("Of an opaque token of a token response", FoundToken.opaqueRows.stream)

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
    let reader = TokenReader(page, context)
    let source = try await reader.source(arguments.token)
    if let stored = source.stored { try reader.requireJWT(stored.found, of: source) }
    let decoding = TokenDecoding(
      keys: keys, decryptionKeys: decryptionKeys, form: BulkForm(context), now: context.now(),
      local: context.localTime)
    let isAlone = source.stream.single.map { $0.count == 1 && $0[0].name == nil } ?? false
    var (results, number) = (TokenResults(), 0)
    try await source.stream.forEach {
      decoding.results(of: $0)
    } consume: { (_, some) in
      results.add(some)
      for (place, text) in some.shown {
        number += 1
        let title = ["token \(number)"] + (place.isEmpty ? [] : [place])
        context.output.write((isAlone ? "" : title.joined(separator: ": ") + "\n") + text)
      }
      context.write(some)
    }
    try results.requireSuccess(
      to: "decode", .tokensUndecodable, isOne: source.stream.single != nil,
      namesLines: !decoding.form.isJSON)
  }
}

/// A token that could not be decoded, among others.
private enum UndecodedToken {
  static let rows = Rows<(line: Int, failure: Failure)>(
    .member("line", "the line") { Int64($0.line) },
    .object("error", "the error", isOptional: false, errorRows) { $0.failure })

  private static let errorRows = Rows<Failure>(
    .member("code", "the code of the error") { $0.code.word },
    .member("message", "the message") { $0.message })
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
    results.skippedCount = part.forEachLine { line, tokens in
      do throws(JOSEError) {
        for token in try tokens.get() { add(token, line, to: &results) }
      } catch {
        fail(Failure.unreadableToken(error, to: "decode"), line, &results)
      }
    }
    return results
  }

  private func add(_ token: FoundToken, _ line: Int?, to results: inout TokenResults) {
    guard token.isJWT || token.name == nil else {
      let text = form.lines(FoundToken.opaqueRows.json(token), text: token.opaqueText)
      show(text, token, line, &results)
      return results.count(line: line)
    }
    do throws(Failure) {
      let decoded = try decoded(token, line)
      let text = form.lines(
        DecodedToken.rows.json(decoded),
        text: decoded.text(at: now, colours: form.colours, local: local),
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
      copies == 0 ? nil : "and \(copies.counted("other place"))",
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
    switch form {
    case .json:
      results.output += UndecodedToken.rows.json((line, failure)).serialized() + "\n"
    case .field: results.output += "\n"
    case .text: break
    }
  }

  private static let forged = Failure(
    .signatureInvalid,
    "could not verify the token: the signature was not made with the key of --key")
}
