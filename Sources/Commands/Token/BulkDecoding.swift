import JOSE
import JSON
import POSIX
import Primitives
import SDKCore

/// Decodes many tokens, one a line, in the order of the input.
struct BulkDecoding: Sendable {
  let keys: KeyFile?
  let context: Context

  /// What the tokens of a block came to.
  struct Result: Sendable {
    var output: [UInt8] = []
    var errors: [String] = []
    var total = 0
    var failed = 0
  }

  func run(_ stream: TokenStream) async throws {
    var (total, failed) = (0, 0)
    var errors: [String] = []
    let (keys, form, now) = (keys, BulkForm(context), context.now())
    try await stream.forEachBlock {
      Self.result(of: $0, keys, form, now)
    } consume: { (_, result) in
      total += result.total
      failed += result.failed
      context.output.write(result.output)
      try? context.output.flush()
      // The first ones show what is wrong with the input.
      errors += result.errors.prefix(20 - errors.count)
    }
    if total == 0 { throw Failure.emptyInput(to: "decode") }
    guard failed == 0 else {
      var failure = Failure(
        .failure, "tokens_undecodable", "could not decode \(failed) of \(total) tokens")
      failure.details = errors
      throw failure
    }
  }

  private static func result(
    of block: LineBlock, _ keys: KeyFile?, _ form: BulkForm, _ now: Timestamp
  ) -> Result {
    var result = Result()
    guard !block.isTooLong else {
      let error = JOSEError(.tooLarge, "the token has more than \(JWS.maximumByteCount) bytes")
      result.add(Failure.undecodable(error), line: block.firstLine, form)
      return result
    }
    block.forEachLine { line, number in
      let tokens = TokenText.tokens(in: Array(line))
      let hasJWT = tokens.contains(where: \.isJWT)
      for token in tokens {
        guard token.isJWT || token.name == nil else {
          result.total += 1
          result.output += Array(form.opaqueLines(token, amongJWTs: hasJWT).utf8)
          continue
        }
        do throws(Failure) {
          let decoded = try decoded(token, keys)
          result.total += 1
          let text = form.lines(
            decoded.json, text: decoded.text(at: now), fallback: { decoded.claims })
          result.output += Array(text.utf8)
        } catch {
          result.add(error, line: number, form)
        }
      }
    }
    return result
  }

  private static func decoded(
    _ token: FoundToken, _ keys: KeyFile?
  ) throws(Failure) -> DecodedToken {
    guard token.isJWT else { throw Failure.notJWT(token, to: "decode") }
    do {
      return DecodedToken(
        try TokenContent(token.text, decryptingWith: keys), name: token.name, keys: keys)
    } catch {
      throw Failure.undecodable(error)
    }
  }
}

extension BulkDecoding.Result {
  fileprivate mutating func add(_ failure: Failure, line: Int, _ form: BulkForm) {
    total += 1
    failed += 1
    guard case .json = form else {
      errors.append("line \(line): \(Visible.line(failure.message))")
      // The values stay in step with the lines of the input.
      if case .field = form { output.append(0x0A) }
      return
    }
    let error: JSON = [
      "line": .int(Int64(line)),
      "error": ["code": .string(failure.code), "message": .string(failure.message)],
    ]
    output += Array((error.serialized() + "\n").utf8)
  }
}
