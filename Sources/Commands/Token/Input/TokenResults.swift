import JSON
import POSIX

/// What a command made of the tokens of its input: what is printed of them, and which failed.
struct TokenResults: Sendable {
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
      throw Failure.noToken(to: verb, exit: code == .tokensInvalid ? .verification : .failure)
    }
    guard let worst else { return }
    guard !isOne, total > 1 else { throw worst }
    var failure = Failure(code, exit: worst.exit, "could not \(verb) \(failed) of \(total) tokens")
    if namesLines { failure.details = causes }
    throw failure
  }

  private static let maximumCauseCount = 20
}

extension Context {
  /// Writes the output of some tokens, in the order of the input.
  func write(_ results: TokenResults) {
    output.write(field?.released(results.output) ?? results.output)
    try? output.flush()
  }
}

enum BulkForm: Sendable {
  /// For people, with colours or without.
  case text(colours: Bool)
  case json
  /// One value of each, for `--field`.
  case field(FieldSelection)

  init(_ context: Context) {
    if let field = context.field {
      self = .field(field)
    } else {
      self = context.globals.json ? .json : .text(colours: context.wantsColours)
    }
  }

  /// Whether each token has an object, which may say why it failed.
  var isJSON: Bool {
    if case .json = self { true } else { false }
  }

  var colours: Bool {
    if case .text(let colours) = self { colours } else { false }
  }

  /// The lines for one result.
  ///
  /// `fallback` makes a document with further values for `--field`.
  func lines(
    _ document: @autoclosure () -> JSON, text: @autoclosure () -> String,
    fallback: () -> JSON? = { nil }
  ) -> String {
    switch self {
    case .text: text()
    case .json: document().serialized() + "\n"
    case .field(let field):
      field.lines(of: document(), fallback: fallback).map { Visible.line($0) + "\n" }.joined()
    }
  }
}

extension FoundToken {
  static let opaqueRows = Rows<FoundToken>(
    .member("name", "the member") { $0.name ?? "" }, .member("opaque", "true") { _ in true })
}
