/// What a command made of the tokens of its input: what is printed of them, and which failed.
struct TokenResults: Sendable {
  /// What is printed.
  var output = ""
  /// Texts for people, each with the place of its token; they are numbered when they are printed.
  var shown: [(place: String, text: String)] = []
  /// How many lines had no token.
  var skippedCount = 0
  /// Whether other keys of the issuer may change the results.
  var needsNewerKeys = false

  private var total = 0
  private var failed = 0
  /// The failure that the command ends with: one that is not only about the time.
  private var worst: Failure?
  /// What is wrong with the first lines that failed.
  private var causes: [String] = []

  /// Counts a token.
  mutating func count(_ failure: Failure? = nil, line: Int?) {
    total += 1
    guard let failure else { return }
    failed += 1
    if worst == nil || worst?.exit == .notValidNow { worst = failure }
    guard causes.count < Self.maximumCauseCount, let line else { return }
    causes.append("line \(line): \(Visible.line(failure.message))")
  }

  /// Adds the counts of other tokens, not their output.
  mutating func add(_ other: TokenResults) {
    total += other.total
    failed += other.failed
    skippedCount += other.skippedCount
    if worst == nil || worst?.exit == .notValidNow { worst = other.worst ?? worst }
    causes += other.causes.prefix(Self.maximumCauseCount - causes.count)
  }

  /// Throws if there was no token, or if one failed.
  ///
  /// The only token of the input has an error of its own. That of many has the code, and with
  /// `namesLines` it tells what is wrong with which line.
  func requireSuccess(
    to verb: String, _ code: ErrorCode, isOne: Bool, namesLines: Bool
  ) throws {
    guard total > 0 else {
      guard skippedCount > 0 else { throw Failure.emptyInput(to: verb) }
      throw Failure(
        .failure, .notAToken, "could not \(verb) the tokens: none of the lines has one")
    }
    guard let worst else { return }
    guard !isOne else { throw worst }
    var failure = Failure(worst.exit, code, "could not \(verb) \(failed) of \(total) tokens")
    if namesLines { failure.details = causes }
    throw failure
  }

  private static let maximumCauseCount = 20
}
