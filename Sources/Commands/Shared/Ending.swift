import POSIX

/// How a run ended.
struct Ending: Sendable {
  private let context: Context
  private let failure: Failure?
  private let signal: Int32?

  init(_ context: Context, _ failure: Failure? = nil, signal: Int32? = nil) {
    self.context = context
    self.failure = failure
    self.signal = signal
  }

  /// What the caller of the program sees.
  enum Status: Sendable, Hashable {
    case status(ExitCode)
    /// The status of a command that ran in place of this program.
    case command(Int32)
    case signal(Int32)
  }

  /// Flushes the output, and writes the failure if there is one.
  func report() -> Status {
    var failure = failure
    do throws(SystemError) {
      try context.output.flush()
    } catch {
      if error.isBrokenPipe { return .signal(Signals.brokenPipe) }
      // A silent failure shows in the output, which could not be written.
      if failure?.isSilent ?? true {
        failure = Failure(
          .outputFailed, exit: failure?.exit ?? .failure,
          "could not write the output: \(error.message)")
      }
    }
    switch failure?.commandStatus {
    case .exited(let status): return .command(status)
    case .signalled(let number): return .signal(number)
    case nil: break
    }
    if let signal { return .signal(signal) }
    if let failure, !failure.isSilent {
      context.errors.write(context.warnings.text(of: failure))
    }
    return .status(failure?.exit ?? .success)
  }
}
