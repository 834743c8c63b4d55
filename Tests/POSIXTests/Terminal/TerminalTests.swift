import Glibc
import Testing

@testable import POSIX

@Suite(.timeLimit(.minutes(2))) struct TerminalTests {
  @Test func aSecretIsTypedUnseenAndTheEchoComesBack() async throws {
    let terminal = try PseudoTerminal()
    async let shown = person(at: terminal, whenAsked: "PIN: ", types: "hunter2\n", echo: false)
    await #expect(processExitsWith: .exitCode(42)) { [path = terminal.path as String] in
      PseudoTerminal.control(path)
      let secret = try await Terminal.readSecret(prompt: "PIN: ")
      _exit(secret == Array("hunter2".utf8) ? 42 : 1)
    }
    #expect(try await !shown.contains("hunter2"))
    #expect(terminal.echoes)
  }

  @Test func interruptingTheSecretBringsTheEchoBackAndKillsBySignal() async throws {
    let terminal = try PseudoTerminal()
    async let shown = person(at: terminal, whenAsked: "PIN: ", types: "\u{3}", echo: false)
    await #expect(processExitsWith: .signal(SIGINT)) { [path = terminal.path as String] in
      PseudoTerminal.control(path)
      _ = try await Signals.cancelling { try? await Terminal.readSecret(prompt: "PIN: ") }
      _exit(1)
    }
    _ = try await shown
    #expect(terminal.echoes)
  }

  @Test func quittingTheSecretBringsTheEchoBack() async throws {
    let terminal = try PseudoTerminal()
    async let shown = person(at: terminal, whenAsked: "PIN: ", types: "\u{1c}", echo: false)
    await #expect(processExitsWith: .signal(SIGQUIT)) { [path = terminal.path as String] in
      ProcessSetup.prepare()
      PseudoTerminal.control(path)
      _ = try await Terminal.readSecret(prompt: "PIN: ")
    }
    _ = try await shown
    #expect(terminal.echoes)
  }

  @Test(arguments: ["TERM", "HUP"])
  func aKillBringsTheEchoBack(name: String) async throws {
    let terminal = try PseudoTerminal()
    async let shown = person(at: terminal, whenAsked: "\n", types: nil, echo: false)
    let number = name == "TERM" ? SIGTERM : SIGHUP
    let status = await #expect(
      processExitsWith: .failure, observing: [\.exitStatus]
    ) { [path = terminal.path as String, number = number as Int32] in
      ProcessSetup.prepare()
      PseudoTerminal.control(path)
      BackgroundThread.start {
        while cannotReadEchoOff(path) { sched_yield() }
        kill(getpid(), number)
      }
      _ = try await Terminal.readSecret(prompt: "PIN: \n")
    }
    #expect(status?.exitStatus == .signal(number))
    _ = try await shown
    #expect(terminal.echoes)
  }

  @Test func stoppingShowsTypingAndContinuingHidesItAgain() async throws {
    let terminal = try PseudoTerminal()
    let folder = try TemporaryFolder()
    async let done: Void = stopAndContinue(terminal, pidFile: folder.file("pid"))
    await #expect(processExitsWith: .exitCode(42)) {
      [path = terminal.path as String, pid = folder.file("pid") as String] in
      PseudoTerminal.control(path)
      try AtomicFile.write(Array("\(getpid())".utf8), to: pid)
      // An orphaned process group is not stopped by the terminal: a stop by hand is.
      let secret = try await Terminal.readSecret(prompt: "PIN: ")
      _exit(secret == Array("after".utf8) ? 42 : 1)
    }
    try await done
    #expect(terminal.echoes)
  }

  @Test func aCancelledTaskStopsAsking() async throws {
    let terminal = try PseudoTerminal()
    async let shown = terminal.wait(for: "PIN: ")
    await #expect(processExitsWith: .exitCode(42)) { [path = terminal.path as String] in
      PseudoTerminal.control(path)
      let task = Task { () -> TerminalError? in
        do throws(TerminalError) {
          _ = try await Terminal.readSecret(prompt: "PIN: ")
          return nil
        } catch {
          return error
        }
      }
      task.cancel()
      _exit(await task.value == .cancelled ? 42 : 1)
    }
    _ = try await shown
    #expect(terminal.echoes)
  }

  @Test func aQuestionIsAskedWithEcho() async throws {
    let terminal = try PseudoTerminal()
    async let first = person(at: terminal, whenAsked: "Sure? [y/N] ", types: "Yes\n", echo: true)
    await #expect(processExitsWith: .exitCode(42)) { [path = terminal.path as String] in
      PseudoTerminal.control(path)
      _exit(try await Terminal.confirm("Sure?") ? 42 : 1)
    }
    _ = try await first
    async let second = person(at: terminal, whenAsked: "Name: ", types: "é b\n", echo: true)
    await #expect(processExitsWith: .exitCode(42)) { [path = terminal.path as String] in
      PseudoTerminal.control(path)
      _exit(try await Terminal.readLine(prompt: "Name: ") == "é b" ? 42 : 1)
    }
    _ = try await second
  }

  @Test func anEndOfInputIsNoAnswer() async throws {
    let terminal = try PseudoTerminal()
    async let shown = person(at: terminal, whenAsked: "PIN: ", types: "\u{4}", echo: false)
    await #expect(processExitsWith: .exitCode(42)) { [path = terminal.path as String] in
      PseudoTerminal.control(path)
      do throws(TerminalError) {
        _ = try await Terminal.readSecret(prompt: "PIN: ")
      } catch {
        _exit(error == .endOfInput ? 42 : 1)
      }
    }
    _ = try await shown
  }

  @Test func withoutATerminalNobodyIsAsked() async {
    await #expect(processExitsWith: .exitCode(42)) {
      setsid()
      do throws(TerminalError) {
        _ = try await Terminal.confirm("Sure?")
      } catch {
        _exit(error == .noTerminal ? 42 : 1)
      }
    }
  }

  @Test func factsAboutTheTerminal() throws {
    let terminal = try PseudoTerminal()
    let file = try FileDescriptor.open("/dev/null")
    #expect(Terminal.isTerminal(terminal.number))
    #expect(!Terminal.isTerminal(file.number))
    #expect(Terminal.width(of: terminal.number, environment: Environment()) == 93)
    #expect(Terminal.width(of: terminal.number, environment: .init(["COLUMNS": "40"])) == 40)
    #expect(Terminal.width(of: terminal.number, environment: .init(["COLUMNS": "0"])) == 93)
    #expect(Terminal.width(of: file.number, environment: Environment()) == nil)
  }

  /// Answers what was shown.
  private func person(
    at terminal: PseudoTerminal, whenAsked prompt: String, types answer: String?, echo: Bool
  ) async throws -> String {
    var shown = try await terminal.wait(for: prompt)
    #expect(terminal.echoes == echo)
    guard let answer else { return shown }
    try terminal.type(answer)
    if answer.hasSuffix("\n") { shown += try await terminal.wait(for: "\n") }
    return shown
  }

  private func stopAndContinue(_ terminal: PseudoTerminal, pidFile: String) async throws {
    try await terminal.wait(for: "PIN: ")
    let text = try FileReader.read(pidFile, limit: 100)
    let pid = try #require(pid_t(String(decoding: text, as: UTF8.self)))
    #expect(!terminal.echoes)
    kill(pid, SIGTSTP)
    try await until { terminal.echoes }
    kill(pid, SIGCONT)
    try await until { !terminal.echoes }
    try terminal.type("after\n")
  }

  private func until(_ condition: () -> Bool) async throws {
    while !condition() { try await Task.sleep(for: .milliseconds(1)) }
  }
}

/// Whether the prompt has not begun yet.
private func cannotReadEchoOff(_ path: String) -> Bool {
  var settings = termios()
  let number = open(path, O_RDWR | O_NOCTTY)
  defer { close(number) }
  return tcgetattr(number, &settings) != 0 || settings.c_lflag & tcflag_t(ECHO) != 0
}
