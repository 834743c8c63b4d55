import POSIX
import SDKCore

extension Context {
  /// Shows what a question is about; `--quiet` silences it only if the question is not asked.
  func show(_ lines: [String], isAgreed: Bool) {
    for line in lines { if isAgreed { note(line) } else { warn(line) } }
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
    guard answer else { throw Failure(.declined, "declined", "could not go on: you declined") }
  }

  private static let noTerminal = Failure.usage(
    "could not ask for consent: there is no terminal, and --yes is missing")

  private static func failure(_ cause: String) -> Failure {
    Failure(.failure, "local_data", "could not ask for consent: \(cause)")
  }
}
