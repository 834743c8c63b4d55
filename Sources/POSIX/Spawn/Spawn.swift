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
  /// - Returns: what it writes to standard output, to be read.
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

  /// The same with arguments as text.
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
}
