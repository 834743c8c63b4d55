import Checkup
import SDKCore
import TestSupport

@testable import Commands

/// A terminal whose person answers by a script.
final class FakeTerminal: Sendable {
  /// The port of a program at this terminal.
  var port: TerminalPort {
    var port = TerminalPort()
    port.isTerminal = { stream in self.state.withLock { $0.terminals.contains(stream) } }
    port.width = { self.state.withLock { $0.width } }
    port.openOutput = { self.state.withLock { $0.output } }
    port.readLine = { (prompt) async throws(TerminalError) in try self.answer(to: prompt) }
    port.readSecret = { (prompt) async throws(TerminalError) in
      Array(try self.answer(to: prompt + "(hidden)").utf8)
    }
    port.readPaste = { (prompt) async throws(TerminalError) in
      Array(try self.answer(to: prompt).utf8)
    }
    port.confirm = { (question) async throws(TerminalError) in
      try self.answer(to: question) == "y"
    }
    return port
  }

  private struct State {
    var terminals: Set<StandardStream> = []
    var width: Int?
    var answers: [Result<String, TerminalError>] = []
    var think: (@Sendable (String) -> String)?
    var prompts: [String] = []
    var output: Output?
  }

  /// There is a controlling terminal, which shows what this takes.
  func show(in output: Output) { state.withLock { $0.output = output } }

  private let state = Mutex(State())

  /// Which streams are terminals; none at first.
  func connect(_ streams: StandardStream...) { connect(Set(streams)) }

  func connect(_ streams: Set<StandardStream>) { state.withLock { $0.terminals = streams } }

  /// How many columns it has.
  func setWidth(_ columns: Int) { state.withLock { $0.width = columns } }

  /// What the person types next, line by line.
  func type(_ lines: String...) { state.withLock { $0.answers += lines.map { .success($0) } } }

  /// What the person types when nothing else is left to type.
  func onPrompt(_ think: @escaping @Sendable (String) -> String) {
    state.withLock { $0.think = think }
  }

  /// What comes instead of the next line.
  func fail(_ error: TerminalError) { state.withLock { $0.answers.append(.failure(error)) } }

  /// What was asked, in order.
  var prompts: [String] { state.withLock { $0.prompts } }

  private func answer(to prompt: String) throws(TerminalError) -> String {
    let answer = state.withLock { state -> Result<String, TerminalError> in
      state.prompts.append(prompt)
      if !state.answers.isEmpty { return state.answers.removeFirst() }
      return state.think.map { .success($0(prompt)) } ?? .failure(.noTerminal)
    }
    return try answer.get()
  }
}

/// A browser that a test stands in for.
final class FakeBrowser: BrowserPort {
  private struct State {
    var opened: [String] = []
    var visit: (@Sendable (HTTPURL) async -> Void)?
    var isMissing = false
  }

  private let state = Mutex(State())

  /// The addresses that were opened, in order.
  var opened: [String] { state.withLock { $0.opened } }

  /// No browser can be started from now on.
  func remove() { state.withLock { $0.isMissing = true } }

  /// What the person does with a page.
  func onVisit(_ visit: @escaping @Sendable (HTTPURL) async -> Void) {
    state.withLock { $0.visit = visit }
  }

  func choice(_ environment: Environment) -> BrowserChoice {
    state.withLock { $0.isMissing } ? .absent : .program("/usr/bin/browser")
  }

  func open(_ url: HTTPURL, _ environment: Environment) async -> Bool {
    let (isMissing, visit) = state.withLock { state in
      state.opened.append(url.description)
      return (state.isMissing, state.visit)
    }
    if isMissing { return false }
    if let visit { Task { await visit(url) } }
    return true
  }
}
