package import POSIX

/// The streams that every process begins with.
package enum StandardStream: Int32, Sendable {
  case input, output, errors
}

/// The terminal of a person, if there is one: at first the controlling terminal of this process.
package struct TerminalPort: Sendable {
  /// Whether the stream is a terminal.
  package var isTerminal: @Sendable (StandardStream) -> Bool = { Terminal.isTerminal($0.rawValue) }
  /// The columns of the terminal that standard output is; `nil` if they are not known.
  package var width: @Sendable () -> Int? = { Terminal.width }
  /// Where text goes for the person whatever the standard streams are; `nil` without a controlling
  /// terminal.
  package var openOutput: @Sendable () -> Output? = { Terminal.openOutput() }
  /// Asks for a line of text with a prompt.
  package var readLine: @Sendable (String) async throws(TerminalError) -> String = {
    (prompt) async throws(TerminalError) in try await Terminal.readLine(prompt: prompt)
  }
  /// Asks for a secret with a prompt; what is typed is not shown.
  package var readSecret: @Sendable (String) async throws(TerminalError) -> [UInt8] = {
    (prompt) async throws(TerminalError) in try await Terminal.readSecret(prompt: prompt)
  }
  /// Asks for a text that is pasted, of any length; it is not shown.
  package var readPaste: @Sendable (String) async throws(TerminalError) -> [UInt8] = {
    (prompt) async throws(TerminalError) in try await Terminal.readPaste(prompt: prompt)
  }
  /// Asks a question; returns true for `y` or `yes` only.
  package var confirm: @Sendable (String) async throws(TerminalError) -> Bool = {
    (question) async throws(TerminalError) in try await Terminal.confirm(question)
  }

  package init() {}
}

extension TerminalPort {
  /// The same terminal, whose prompts come after what was written to the output, show what was typed or
  /// received, and let it act on nothing.
  func prompting(after output: Output) -> TerminalPort {
    @Sendable func shown(_ prompt: String) -> String {
      try? output.flush()
      return Visible.line(prompt)
    }
    var port = self
    port.readLine = { [readLine] (prompt) async throws(TerminalError) in
      try await readLine(shown(prompt))
    }
    port.readSecret = { [readSecret] (prompt) async throws(TerminalError) in
      try await readSecret(shown(prompt))
    }
    port.readPaste = { [readPaste] (prompt) async throws(TerminalError) in
      try await readPaste(shown(prompt))
    }
    port.confirm = { [confirm] (question) async throws(TerminalError) in
      try await confirm(shown(question))
    }
    return port
  }

  /// The same terminal, whose secrets a program asks for: it gets the prompt as its argument, and prints
  /// what was entered; a failure of it is a cancelled question.
  func asking(by program: String, _ environment: Environment) -> TerminalPort {
    var port = self
    port.readSecret = { (prompt) async throws(TerminalError) in
      let answer: ProcessOutput
      do throws(SpawnError) {
        // A prompt may be a server's text: the program must not take it for an option.
        let text = prompt.hasPrefix("-") ? " " + prompt : prompt
        answer = try await Spawn.run(
          program, [text], environment: environment, sharesErrors: true,
          limit: 1 << 16)
      } catch {
        throw TerminalError(error)
      }
      guard answer.status.isSuccess else { throw .cancelled }
      return answer.output
    }
    return port
  }

  /// The same terminal if no question may be asked: output still goes to it; nobody reads from it.
  var withoutQuestions: TerminalPort {
    var port = self
    port.isTerminal = { [isTerminal] stream in stream != .input && isTerminal(stream) }
    port.openOutput = { nil }
    port.readLine = { (_) async throws(TerminalError) in throw .noTerminal }
    port.readSecret = { (_) async throws(TerminalError) in throw .noTerminal }
    port.readPaste = { (_) async throws(TerminalError) in throw .noTerminal }
    port.confirm = { (_) async throws(TerminalError) in throw .noTerminal }
    return port
  }
}

extension Environment {
  /// Whether the environment forbids every question to a person (`SDKCTL_PROMPT=never`).
  var forbidsQuestions: Bool { self["SDKCTL_PROMPT"] == "never" }

  /// The value of `SDKCTL_PROMPT` if it is not a known one; else `nil`.
  var unknownPrompt: String? {
    self["SDKCTL_PROMPT"].flatMap { ["", "never"].contains($0) ? nil : $0 }
  }

  static let questionsAreForbidden = "SDKCTL_PROMPT=never forbids questions to a person"
}

extension TerminalError {
  /// Why a program that asks for a secret brought none.
  fileprivate init(_ error: SpawnError) {
    switch error {
    case .system(let error): self = .system(error)
    case .outputTooLarge: self = .tooLong
    case .timedOut, .cancelled: self = .cancelled
    }
  }
}
