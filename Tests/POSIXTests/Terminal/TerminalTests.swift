import Glibc
import TestSupport

@testable import POSIX

@Suite(.timeLimit(.minutes(10)), .serialized) struct TerminalTests {
  @Test func aSecretIsTypedUnseenAndTheEchoComesBack() async throws {
    let terminal = try PseudoTerminal()
    let shown = Person(at: terminal, whenAsked: "Passcode: ", types: "hunter2\n")
    await #expect(processExitsWith: .exitCode(42)) { [path = terminal.path as String] in
      PseudoTerminal.control(path)
      let secret = try await Terminal.readSecret(prompt: "Passcode: ")
      _exit(secret == Array("hunter2".utf8) ? 42 : 1)
    }
    let seen = await shown.seen
    #expect(seen?.text == "Passcode: ")
    #expect(seen?.echo == false)
    #expect(terminal.echoes)
  }

  @Test func interruptingTheSecretBringsTheEchoBackAndKillsBySignal() async throws {
    let terminal = try PseudoTerminal()
    let shown = Person(at: terminal, whenAsked: "Passcode: ", types: "\u{3}")
    await #expect(processExitsWith: .signal(SIGINT)) { [path = terminal.path as String] in
      PseudoTerminal.control(path)
      _ = try await Signals.cancelling { _ = try? await Terminal.readSecret(prompt: "Passcode: ") }
      _exit(1)
    }
    #expect(await shown.seen?.echo == false)
    #expect(terminal.echoes)
  }

  @Test func quittingTheSecretBringsTheEchoBack() async throws {
    let terminal = try PseudoTerminal()
    let shown = Person(at: terminal, whenAsked: "Passcode: ", types: "\u{1c}")
    await #expect(processExitsWith: .signal(SIGQUIT)) { [path = terminal.path as String] in
      ProcessSetup.prepare()
      PseudoTerminal.control(path)
      _ = try await Terminal.readSecret(prompt: "Passcode: ")
    }
    #expect(await shown.seen?.echo == false)
    #expect(terminal.echoes)
  }

  @Test(arguments: ["TERM", "HUP"])
  func aKillBringsTheEchoBack(name: String) async throws {
    let terminal = try PseudoTerminal()
    let number = name == "TERM" ? SIGTERM : SIGHUP
    let status = await #expect(
      processExitsWith: .failure, observing: [\.exitStatus]
    ) { [path = terminal.path as String, number = number as Int32] in
      ProcessSetup.prepare()
      PseudoTerminal.control(path)
      try BackgroundThread.start {
        while isEchoing(path) { sched_yield() }
        kill(getpid(), number)
      }
      _ = try await Terminal.readSecret(prompt: "Passcode: ")
    }
    #expect(status?.exitStatus == .signal(number))
    #expect(terminal.echoes)
  }

  @Test func stoppingShowsTypingAndContinuingHidesItAgain() async throws {
    let terminal = try PseudoTerminal()
    let folder = try TemporaryFolder()
    let done = OneShot<Bool>()
    try BackgroundThread.start { [pid = folder.file("pid")] in
      done.set((try? stopAndContinue(terminal, pidFile: pid)) != nil)
    }
    await #expect(processExitsWith: .exitCode(42)) {
      [path = terminal.path as String, pid = folder.file("pid") as String] in
      PseudoTerminal.control(path)
      try AtomicFile.write(Array("\(getpid())".utf8), to: pid)
      let companion = try Companion()
      let secret = try await Terminal.readSecret(prompt: "Passcode: ")
      _exit(secret == Array("after".utf8) && companion.isThere ? 42 : 1)
    }
    #expect(await done.wait() == true)
    #expect(terminal.echoes)
  }

  @Test func aCancelledTaskStopsAsking() async throws {
    let terminal = try PseudoTerminal()
    await #expect(processExitsWith: .exitCode(42)) { [path = terminal.path as String] in
      PseudoTerminal.control(path)
      let task = Task {
        await failure { () async throws(TerminalError) in
          _ = try await Terminal.readSecret(prompt: "Passcode: ")
        }
      }
      while isEchoing(path) { sched_yield() }
      task.cancel()
      _exit(await task.value == .cancelled ? 42 : 1)
    }
    #expect(terminal.echoes)
  }

  @Test func aQuestionIsAskedWithEcho() async throws {
    let terminal = try PseudoTerminal()
    let first = Person(at: terminal, whenAsked: "Sure? [y/N] ", types: "Yes\n")
    await #expect(processExitsWith: .exitCode(42)) { [path = terminal.path as String] in
      PseudoTerminal.control(path)
      _exit(try await Terminal.confirm("Sure?") ? 42 : 1)
    }
    #expect(await first.seen?.echo == true)
    let second = Person(at: terminal, whenAsked: "Name: ", types: "é b\n")
    await #expect(processExitsWith: .exitCode(42)) { [path = terminal.path as String] in
      PseudoTerminal.control(path)
      _exit(try await Terminal.readLine(prompt: "Name: ") == "é b" ? 42 : 1)
    }
    #expect(await second.seen?.echo == true)
  }

  /// A terminal passes an unfinished line on at the end of the input.
  private static let unfinished = String(repeating: "a", count: 4000) + "\u{4}"

  @Test(arguments: [
    (false, "\u{4}", "endOfInput"), (true, "\u{4}", "endOfInput"),
    (false, String(repeating: Self.unfinished, count: 17), "tooLong"),
    (true, String(repeating: "a", count: 1 << 20), "tooLong"),
    // A paste ends with a line after which nothing comes.
    (true, "one\ntwo\n", "one\ntwo"), (true, "ab\u{8}c\u{4}", "ac"),
  ])
  func anAnswerHasAnEndAndALimit(isPaste: Bool, typed: String, result: String) async throws {
    let terminal = try PseudoTerminal()
    let shown = Person(at: terminal, whenAsked: "Secret: ", types: typed)
    await #expect(processExitsWith: .exitCode(42)) {
      [path = terminal.path as String, result = result as String, isPaste] in
      PseudoTerminal.control(path)
      let read = isPaste ? Terminal.readPaste : Terminal.readSecret
      do throws(TerminalError) {
        _exit(String(decoding: try await read("Secret: "), as: UTF8.self) == result ? 42 : 1)
      } catch { _exit("\(error)" == result ? 42 : 1) }
    }
    #expect(await shown.seen?.echo == false)
    // What follows is not shown on the line of the prompt.
    if result == "endOfInput" { #expect(try terminal.wait(for: "\n") == "\r\n") }
  }

  @Test func withoutATerminalNobodyIsAsked() async {
    await #expect(processExitsWith: .exitCode(42)) {
      setsid()
      let error = await failure { () async throws(TerminalError) in
        _ = try await Terminal.confirm("Sure?")
      }
      _exit(error == .noTerminal ? 42 : 1)
    }
  }

  @Test func factsAboutTheTerminal() throws {
    let terminal = try PseudoTerminal()
    let file = try FileDescriptor.open("/dev/null")
    #expect(Terminal.isTerminal(terminal.number))
    #expect(!Terminal.isTerminal(file.number))
  }
}

/// Someone at a terminal, on a thread of their own: exit tests occupy those of the pool.
private struct Person: Sendable {
  private let end = OneShot<(text: String, echo: Bool)?>()

  init(at terminal: PseudoTerminal, whenAsked prompt: String, types answer: String) {
    let end = end
    try? BackgroundThread.start {
      end.set(
        try? {
          let text = try terminal.wait(for: prompt)
          let echo = terminal.echoes
          try terminal.type(answer)
          return (text, echo)
        }())
    }
  }

  /// What the terminal showed before the answer, and whether it echoed after the prompt.
  var seen: (text: String, echo: Bool)? { get async { await end.wait() ?? nil } }
}

/// A process in our group whose parent is in another group of our session.
///
/// Without one our group is orphaned, and the system stops no orphans. It ends with us.
private final class Companion: Sendable {
  private let input: PipeEnd
  let isThere: Bool

  init() throws {
    let (childInput, ownInput) = try PipeEnd.pair()
    let (ownOutput, childOutput) = try PipeEnd.pair()
    let script = """
      import os
      group = os.getpgrp()
      os.setpgid(0, 0)
      if os.fork() == 0:
        os.setpgid(0, group)
        os.write(1, b"here")
        os.read(0, 1)
      else:
        os.wait()
      """
    _ = try Spawn.start(
      Spawn.find("python3") ?? "python3", ["-c", script], environment: .current,
      streams: [childInput.number, childOutput.number, 2], newSession: false)
    input = ownInput
    isThere = try ownOutput.read() == Array("here".utf8)
  }
}

private func stopAndContinue(_ terminal: PseudoTerminal, pidFile: String) throws {
  try terminal.wait(for: "Passcode: ")
  let text = try FileReader.read(pidFile, limit: 100)
  guard let pid = pid_t(String(decoding: text, as: UTF8.self)) else { return }
  kill(pid, SIGTSTP)
  while !isStopped(pid) { usleep(1000) }
  guard terminal.echoes else { throw SystemError("echo", code: EINVAL) }
  kill(pid, SIGCONT)
  while terminal.echoes { usleep(1000) }
  try terminal.type("after\n")
}

private func isStopped(_ pid: pid_t) -> Bool {
  let status = (try? FileReader.read("/proc/\(pid)/status", limit: 100_000)) ?? []
  return String(decoding: status, as: UTF8.self).contains("State:\tT")
}

/// Whether the prompt has not begun yet, for the process itself to ask.
private func isEchoing(_ path: String) -> Bool {
  var settings = termios()
  let number = open(path, O_RDWR | O_NOCTTY)
  defer { close(number) }
  return tcgetattr(number, &settings) != 0 || settings.c_lflag & tcflag_t(ECHO) != 0
}
