import JOSE
import JSON
import POSIX
import SDKCore

/// Verifies many tokens, one a line, and prints one line for each in the order of the input.
struct BulkVerification: Sendable {
  private let verifier: TokenVerifier
  private let published: PublishedKeys?
  private let context: Context

  init(_ keys: VerificationKeys, _ expectations: TokenExpectations, _ context: Context) {
    verifier = TokenVerifier(keys, expectations)
    published = keys.published
    self.context = context
  }

  /// What the tokens of a block came to.
  struct Counts: Sendable {
    var total = 0
    var invalid = 0
    var untimely = 0
    var needsNewerKeys = false
  }

  func run(_ stream: TokenStream) async throws {
    var counts = Counts()
    let form = BulkForm(context)
    let first = LineVerifiers(verifier, form)
    var current: LineVerifiers?
    var newest = published
    let context = context
    try await stream.forEachBlock {
      Self.results(of: $0, first)
    } consume: { (block, result) in
      var result = result
      if result.counts.needsNewerKeys, let published = newest {
        newest = nil
        let keys = try await published.newer()
        if let keys, keys != verifier.keys {
          var newer = verifier
          newer.keys = keys
          current = LineVerifiers(newer, form)
        }
      }
      if result.counts.needsNewerKeys, let current { result = Self.results(of: block, current) }
      counts.add(result.counts)
      context.output.write(result.output)
      try? context.output.flush()
    }
    try counts.requireValid()
  }

  private static func results(
    of block: LineBlock, _ verifiers: LineVerifiers
  ) -> (output: [UInt8], counts: Counts) {
    verifiers.withVerifier { verifier in
      var results = BlockResults(verifier)
      if block.isTooLong {
        let error = JOSEError(.tooLarge, "the token has more than \(JWS.maximumByteCount) bytes")
        let report = TokenReport([.failed(.format, error)])
        results.add(VerdictReport(report, line: block.firstLine))
      } else {
        block.forEachLine { line, number in results.add(line, number) }
      }
      return (results.output, results.counts)
    }
  }
}

extension BulkVerification.Counts {
  /// Counts one token.
  mutating func add(_ report: TokenReport) {
    total += 1
    needsNewerKeys = needsNewerKeys || report.needsNewerKeys
    switch report.verdict {
    case .valid: break
    case .invalid: invalid += 1
    case .expired, .notYetValid: untimely += 1
    }
  }

  fileprivate mutating func add(_ other: Self) {
    total += other.total
    invalid += other.invalid
    untimely += other.untimely
  }

  fileprivate func requireValid() throws {
    guard invalid + untimely > 0 else {
      if total == 0 { throw Failure.emptyInput(to: "verify") }
      return
    }
    throw Failure(
      invalid > 0 ? .verification : .notValidNow, "tokens_invalid",
      "could not verify \(invalid + untimely) of \(total) tokens")
  }
}
