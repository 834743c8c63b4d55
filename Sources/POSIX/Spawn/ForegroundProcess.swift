import Glibc

/// A program that has our standard streams and our terminal, and that we wait for.
package final class ForegroundProcess: Sendable {
  private let child: SpawnedProcess

  /// Starts a program; a script without an interpreter line is run by the shell.
  package init(
    _ program: String, _ arguments: [String], environment: Environment
  ) throws(SystemError) {
    let start = { (program: String, arguments: [String]) throws(SystemError) in
      try Spawn.start(
        program, arguments, environment: environment, streams: [0, 1, 2], newSession: false)
    }
    let number: Int32
    do throws(SystemError) {
      number = try start(program, arguments)
    } catch {
      guard error.code == ENOEXEC else { throw error }
      // A name that begins with a dash would be an option of the shell.
      let script = program.hasPrefix("/") ? program : "./\(program)"
      number = try start("/bin/sh", [script] + arguments)
    }
    child = SpawnedProcess(number)
  }

  /// Waits for its end, which a cancelled task does not hasten.
  package func wait() async throws(SystemError) -> ExitStatus {
    let child = child
    return try await BackgroundThread.run { () throws(SystemError) in ExitStatus(child.wait()) }
  }

  /// Passes on the signal that has asked this process to end.
  ///
  /// The terminal has sent SIGINT to both: the program must not get it twice.
  package func passOnSignal(hasTerminal: Bool) {
    guard let number = Signals.arrived, number != SIGINT || !hasTerminal else { return }
    child.signal(number)
  }
}
