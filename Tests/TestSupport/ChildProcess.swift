import Glibc
package import POSIX
import Synchronization

/// A program that a test runs, killed when this object goes.
///
/// Not Foundation's `Process`: it learns of the end through a socket that other programs which
/// start at the same moment inherit. Its `waitUntilExit` may then wait for those too.
package final class ChildProcess: Sendable {
  package struct Failure: Error {
    package let program: String
    package let code: Int32
  }

  /// Where the program's standard error goes.
  package enum Errors: Sendable { case discarded, output }

  package let id: Int32
  private let state: Mutex<State>
  private let output: Int32

  private struct State {
    var input: Int32?
    var status: POSIX.ExitStatus?
  }

  /// Starts a program of `PATH`, in a working directory or in ours.
  package init(
    _ program: String, _ arguments: [String] = [], environment: Environment = .current,
    folder: String? = nil, errors: Errors = .discarded
  ) throws {
    let ends = try pipe()
    let answers = try pipe()
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { for number in [ends.reading, answers.writing, null] { close(number) } }
    let place = folder.map { ["-C", $0] } ?? []
    id = try Spawn.start(
      "/usr/bin/env", place + [program] + arguments, environment: environment,
      streams: [ends.reading, answers.writing, errors == .output ? answers.writing : null],
      newSession: false)
    output = answers.reading
    state = Mutex(State(input: ends.writing))
  }

  deinit {
    kill()
    closeInput()
    close(output)
  }

  /// Whether the program has not been waited for.
  package var isRunning: Bool { state.withLock { $0.status == nil } }

  /// The next bytes that the program writes; empty at the end.
  package func read(upTo count: Int = 65536) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      var result = Glibc.read(output, buffer.baseAddress, count)
      while result < 0, errno == EINTR {
        result = Glibc.read(output, buffer.baseAddress, count)
      }
      filled = max(result, 0)
    }
  }

  /// All that the program still writes.
  package func readToEnd() -> [UInt8] {
    var all: [UInt8] = []
    while true {
      let part = read()
      if part.isEmpty { return all }
      all += part
    }
  }

  /// Ends the program's standard input.
  package func closeInput() {
    state.withLock { state in
      if let input = state.input { close(input) }
      state.input = nil
    }
  }

  /// Waits for the end.
  @discardableResult
  package func waitUntilExit() -> POSIX.ExitStatus {
    state.withLock { state in
      if let status = state.status { return status }
      var word: Int32 = 0
      while waitpid(id, &word, 0) < 0, errno == EINTR {}
      let signal = word & 0x7F
      let status = signal == 0 ? POSIX.ExitStatus.exited(word >> 8 & 0xFF) : .signalled(signal)
      state.status = status
      return status
    }
  }

  /// Ends the program by SIGKILL, unless it has been waited for.
  package func kill() {
    guard isRunning else { return }
    Glibc.kill(id, SIGKILL)
    waitUntilExit()
  }
}

/// Makes a pipe; programs do not inherit it, since `Spawn` closes all other descriptors.
private func pipe() throws -> (reading: Int32, writing: Int32) {
  var ends: [Int32] = [-1, -1]
  guard Glibc.pipe(&ends) == 0 else {
    throw ChildProcess.Failure(program: "pipe", code: errno)
  }
  return (ends[0], ends[1])
}
