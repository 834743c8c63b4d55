package import POSIX

/// The streams that every process begins with.
package enum StandardStream: Int32, Sendable {
  case input, output, errors
}

/// The terminal of a person, if there is one.
package protocol TerminalPort: Sendable {
  /// Whether the stream is a terminal.
  func isTerminal(_ stream: StandardStream) -> Bool
  /// Asks for a line of text.
  func readLine(prompt: String) async throws(TerminalError) -> String
  /// Asks for a secret; what is typed is not shown.
  func readSecret(prompt: String) async throws(TerminalError) -> [UInt8]
  /// Where text goes for the person whatever the standard streams are; `nil` without a controlling
  /// terminal.
  func openOutput() -> Output?
  /// Asks a question; returns true for `y` or `yes` only.
  func confirm(_ question: String) async throws(TerminalError) -> Bool
}

/// The controlling terminal of this process.
package struct SystemTerminal: TerminalPort {
  package init() {}

  package func isTerminal(_ stream: StandardStream) -> Bool {
    Terminal.isTerminal(stream.rawValue)
  }

  package func openOutput() -> Output? { Terminal.openOutput() }

  package func readLine(prompt: String) async throws(TerminalError) -> String {
    try await Terminal.readLine(prompt: prompt)
  }

  package func readSecret(prompt: String) async throws(TerminalError) -> [UInt8] {
    try await Terminal.readSecret(prompt: prompt)
  }

  package func confirm(_ question: String) async throws(TerminalError) -> Bool {
    try await Terminal.confirm(question)
  }
}
