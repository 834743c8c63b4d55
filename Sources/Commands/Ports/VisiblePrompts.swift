import POSIX

/// A terminal whose prompts show what was typed or received, and let it act on nothing.
struct VisiblePrompts: TerminalPort {
  private let terminal: any TerminalPort

  /// Filters the prompts of a terminal; once, although a context can be made from another.
  init(_ terminal: any TerminalPort) {
    self.terminal = (terminal as? VisiblePrompts)?.terminal ?? terminal
  }

  func isTerminal(_ stream: StandardStream) -> Bool { terminal.isTerminal(stream) }

  func openOutput() -> Output? { terminal.openOutput() }

  func readLine(prompt: String) async throws(TerminalError) -> String {
    try await terminal.readLine(prompt: Visible.line(prompt))
  }

  func readSecret(prompt: String) async throws(TerminalError) -> [UInt8] {
    try await terminal.readSecret(prompt: Visible.line(prompt))
  }

  func confirm(_ question: String) async throws(TerminalError) -> Bool {
    try await terminal.confirm(Visible.line(question))
  }
}
