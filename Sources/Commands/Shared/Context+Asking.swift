import Arguments
import JSON
import POSIX
import SDKCore

extension Context {
  /// Shows what a question is about; `--quiet` silences it only if the question is not asked.
  func show(_ lines: [String], isAgreed: Bool) {
    for line in lines { if isAgreed { note(line) } else { warn(line) } }
  }

  /// Prints what would change, for `--dry-run`.
  func preview(_ lines: [String], _ json: JSON) {
    guard !globals.json else { return print(json) }
    for line in lines { print(line) }
    note("nothing was changed")
  }

  /// Throws unless a person agrees, or agreed with `--yes`.
  func confirm(_ question: String, isAgreed: Bool) async throws {
    if isAgreed { return }
    guard isInteractive else { throw Self.noTerminal }
    let answer: Bool
    do throws(TerminalError) {
      answer = try await terminal.confirm(question)
    } catch {
      switch error {
      case .endOfInput, .cancelled: answer = false
      case .noTerminal: throw Self.noTerminal
      case .tooLong: throw Self.failure("the answer is too long")
      case .system(let error): throw Self.failure("\(error)")
      }
    }
    guard answer else { throw Failure(.declined, "could not go on: you declined") }
  }

  /// Throws unless a person agrees to what protects less than before, or has agreed to it with an option.
  ///
  /// `details` are what protects less, a line each; without any no consent is needed. `refuses` means that nobody is
  /// asked, and `refusal` is the error: `--yes` agrees to no weakening.
  func agreeToWeaker(
    _ question: String, _ refusal: String, _ details: [String], isAgreed: Bool, refuses: Bool
  ) async throws {
    guard !details.isEmpty, !isAgreed else { return }
    guard refuses else { return try await confirm(question, isAgreed: false) }
    var failure = Failure.usage(refusal, hints: [commandLine(adding: "--allow-weaker")])
    failure.details = details
    throw failure
  }

  private static let noTerminal = Failure.usage(
    "could not ask for consent: there is no terminal; --yes agrees")

  private static func failure(_ cause: String) -> Failure {
    Failure(.localData, "could not ask for consent: \(cause)")
  }
}

extension Option {
  /// `--yes`.
  static func yes(_ path: any Path<Bool>, _ summary: String) -> Self {
    .flag("yes", short: "y", path, summary).more(
      "Without a terminal, which could ask, it is needed.")
  }
}

extension TerminalError {
  /// The error of a command whose question was not answered; the options or settings replace the question.
  func error(
    _ action: String, withoutTerminal code: SDKError.Code, options: [String] = []
  ) -> SDKError {
    switch self {
    case .cancelled: SDKError(.cancelled, "\(action): cancelled")
    case .endOfInput: SDKError(.denied, "\(action): nothing was typed")
    case .noTerminal:
      SDKError(code, "\(action): there is no terminal" + Self.missing(options))
    case .tooLong: SDKError(.localData, "\(action): the line is too long")
    case .system(let error): SDKError(.localData, "\(action): \(error)")
    }
  }

  private static func missing(_ options: [String]) -> String {
    guard !options.isEmpty else { return "" }
    let verb = options.count == 1 ? "is" : "are"
    return ", and \(options.joined(separator: " and ")) \(verb) missing"
  }
}
