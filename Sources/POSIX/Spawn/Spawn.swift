import CPOSIX
import Glibc

/// Finds and starts other programs, or replaces this process with one.
///
/// Programs inherit only the descriptors 0, 1 and 2, and neither our umask nor our ignored signals.
package enum Spawn {
  /// Starts a program that outlives us, such as a browser, in a session of its own.
  ///
  /// It reads nothing and writes to our standard error, so that our standard output stays data.
  /// Throws if the program cannot be executed; the result shows if it ends soon.
  package static func detached(
    _ program: String, _ arguments: [String], environment: Environment = .current
  ) throws(SystemError) -> DetachedProcess {
    let null = try FileDescriptor.open("/dev/null", .readWrite)
    let pid = try start(
      program, arguments, environment: environment, streams: [null.number, 2, 2],
      newSession: true)
    return DetachedProcess(pid)
  }

  /// Starts a program that outlives us in a session of its own, with its errors at the end of a file.
  ///
  /// Returns what it writes to standard output, to be read.
  package static func detached(
    _ program: String, _ arguments: [String], environment: Environment, errors path: String
  ) throws(SystemError) -> FileDescriptor {
    let null = try FileDescriptor.open("/dev/null")
    let errors = try FileDescriptor.open(path, flags: O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW)
    let ends = try FileDescriptor.pipe()
    let output = FileDescriptor(owning: ends.reader)
    let childOutput = FileDescriptor(owning: ends.writer)
    _ = try start(
      program, arguments, environment: environment,
      streams: [null.number, childOutput.number, errors.number], newSession: true)
    return output
  }

  /// Replaces this process with a program; returns only if that failed.
  ///
  /// A script without an interpreter line is run by the shell, as `execvp` and shells do it.
  package static func replace(
    _ program: String, rawArguments: [[UInt8]], environment: Environment = .current
  ) -> SystemError {
    let error = replaceOnce(program, rawArguments: rawArguments, environment: environment)
    guard error.code == ENOEXEC else { return error }
    // A name that begins with a dash would be an option of the shell.
    let script = program.hasPrefix("/") ? program : "./\(program)"
    return replaceOnce(
      "/bin/sh", rawArguments: [Array(script.utf8)] + rawArguments, environment: environment)
  }

  private static func replaceOnce(
    _ program: String, rawArguments: [[UInt8]], environment: Environment
  ) -> SystemError {
    let path: String
    do throws(SystemError) { path = try validatedPath(program) } catch { return error }
    let arguments = [Array(program.utf8)] + rawArguments
    ProcessSetup.restoreCoreLimit()
    let code = ProcessSetup.withOriginalLimits {
      CStrings(arguments).withPointers { arguments in
        CStrings(environment.entries).withPointers { entries in
          cposix_replace(path, arguments, entries)
        }
      }
    }
    return SystemError("execve", path: program, code: -code)
  }

  package static func replace(
    _ program: String, _ arguments: [String], environment: Environment = .current
  ) -> SystemError {
    replace(program, rawArguments: arguments.map { Array($0.utf8) }, environment: environment)
  }

  package static func start(
    _ program: String, _ arguments: [String], environment: Environment, streams: [Int32],
    newSession: Bool
  ) throws(SystemError) -> Int32 {
    let path = try validatedPath(program)
    let words = ([program] + arguments).map { Array($0.utf8) }
    if words.contains(where: { $0.contains(0) }) {
      throw SystemError(
        "spawn", path: program, code: EINVAL, message: "an argument contains a NUL byte")
    }
    var pid: pid_t = 0
    let code = ProcessSetup.withOriginalLimits {
      CStrings(words).withPointers { words in
        CStrings(environment.entries).withPointers { entries in
          cposix_spawn(&pid, path, words, entries, streams, newSession ? 1 : 0)
        }
      }
    }
    try checked("spawn", path: program, code)
    return pid
  }

  /// The path of a program: itself if it has a slash, else the first in `PATH`.
  package static func find(_ name: String, in environment: Environment = .current) -> String? {
    if name.contains("/") { return isProgram(name) ? name : nil }
    return folders(of: environment).lazy.map { "\($0)/\(name)" }.first(where: isProgram)
  }

  /// Whether there is a file where ``find(_:in:)`` looks, be it a program or not.
  package static func fileExists(
    _ name: String, in environment: Environment = .current
  ) -> Bool {
    if name.isEmpty { return false }
    if name.contains("/") { return FileStatus.exists(name) }
    return folders(of: environment).contains { FileStatus.exists("\($0)/\(name)") }
  }

  /// The programs in `PATH` with this prefix, sorted, without repetition.
  package static func names(
    beginningWith prefix: String, in environment: Environment = .current
  ) -> [String] {
    let found = folders(of: environment).flatMap { folder in
      let names = (try? Directory.entries(folder)) ?? []
      return names.filter { $0.hasPrefix(prefix) && isProgram("\(folder)/\($0)") }
    }
    return Set(found).sorted()
  }

  /// Without empty entries: they mean the current directory, which may contain anything.
  private static func folders(of environment: Environment) -> [String] {
    (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
      .map(String.init)
  }

  private static func isProgram(_ path: String) -> Bool {
    (try? FileStatus.of(path))?.kind == .file && access(path, X_OK) == 0
  }
}

/// A list of byte strings for C: each ends with NUL, the list with a null pointer.
struct CStrings {
  private var bytes: [UInt8] = []
  private var starts: [Int] = []

  init(_ strings: [[UInt8]]) {
    for string in strings {
      starts.append(bytes.count)
      bytes += string
      bytes.append(0)
    }
  }

  func withPointers<Result>(
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>?) -> Result
  ) -> Result {
    var bytes = bytes
    return bytes.withUnsafeMutableBytes { buffer in
      let text = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      let pointers = starts.map { start in text.map { $0 + start } } + [nil]
      return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
    }
  }
}

/// A program that was started and runs on its own.
package struct DetachedProcess: Sendable {
  package let pid: Int32
  private let end = OneShot<ExitStatus>()

  /// How it ended; `nil` if it still runs after that time.
  ///
  /// Shows whether a launcher failed at once.
  package func ended(within time: Duration) async -> ExitStatus? {
    await end.wait(timeout: time)
  }

  /// Waits for the child, so that no zombie stays.
  init(_ pid: Int32) {
    self.pid = pid
    let end = end
    // Without a thread it counts as running, and a zombie stays until this process ends.
    try? BackgroundThread.start { end.set(ExitStatus(cposix_wait(pid))) }
  }
}

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
