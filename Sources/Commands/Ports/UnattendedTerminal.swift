import POSIX

/// A terminal at which no question may be asked (`SDKCTL_PROMPT=never`).
struct UnattendedTerminal: TerminalPort {
  let terminal: any TerminalPort

  /// Output still goes to the terminal; nobody reads from it.
  func isTerminal(_ stream: StandardStream) -> Bool {
    stream != .input && terminal.isTerminal(stream)
  }

  func openOutput() -> Output? { nil }

  func readLine(prompt: String) async throws(TerminalError) -> String { throw .noTerminal }

  func readSecret(prompt: String) async throws(TerminalError) -> [UInt8] { throw .noTerminal }

  func confirm(_ question: String) async throws(TerminalError) -> Bool { throw .noTerminal }
}

extension Environment {
  /// Whether the environment forbids every question to a person.
  var forbidsQuestions: Bool { self["SDKCTL_PROMPT"] == "never" }

  static let questionsAreForbidden = "SDKCTL_PROMPT=never forbids questions to a person"
}
