import CPOSIX
import Glibc

/// Why a program did not run to its end.
package enum SpawnError: Error, Sendable, Hashable {
  case system(SystemError)
  case outputTooLarge(limit: Int)
  case timedOut
  case cancelled
}

extension SpawnError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .system(let error): "\(error)"
    case .outputTooLarge(let limit): "it printed more than \(limit) bytes"
    case .timedOut: "it did not end in time"
    case .cancelled: "it was cancelled"
    }
  }
}

/// The result of a program.
package struct ProcessOutput: Sendable, Hashable {
  package let status: ExitStatus
  package let output: [UInt8]
  /// What it wrote to standard error, up to the limit.
  package let errors: [UInt8]
}

extension Spawn {
  /// Runs a program to its end and collects what it writes.
  ///
  /// It keeps our terminal, so that it can ask the user. More than `limit` bytes, the timeout and a
  /// cancelled task end it: SIGTERM, two seconds later SIGKILL. With `sharesErrors`, its standard
  /// error is ours, and not collected.
  package static func run(
    _ program: String, _ arguments: [String] = [], environment: Environment = .current,
    input: [UInt8] = [], sharesErrors: Bool = false, limit: Int = 1 << 20, timeout: Duration? = nil
  ) async throws(SpawnError) -> ProcessOutput {
    // The program may close its input, which must not end ours.
    try await BackgroundThread.run(wrapping: SpawnError.system, takesSignals: false) {
      (cancel) throws(SpawnError) in
      var process = try PipedProcess(
        program, arguments, environment: environment, input: input,
        sharesErrors: sharesErrors, limit: limit, cancel: cancel)
      return try process.finish(timeout: timeout)
    }
  }
}

/// How a program ended.
package enum ExitStatus: Sendable, Hashable {
  case exited(Int32)
  case signalled(Int32)

  /// From the result of `cposix_wait`.
  init(_ result: Int32) {
    self = result >= 256 ? .signalled(result - 256) : .exited(result)
  }

  package var isSuccess: Bool { self == .exited(0) }
}

extension ExitStatus: CustomStringConvertible {
  /// The end of a sentence about a program.
  package var description: String {
    switch self {
    case .exited(let code): "exited with \(code)"
    case .signalled(let number): "was ended by signal \(number)"
    }
  }
}
