import POSIX
import SDKCore
import Synchronization

/// The file of `--trace`, opened by the first session of a command.
final class TraceFile: Sendable {
  private let path: String
  private let warnings: Warnings
  private let state = Mutex(State())

  private struct State {
    var file: LogFile?
    var failed = false
  }

  /// `-` stands for standard error.
  init(_ path: String, warnings: Warnings) {
    self.path = path
    self.warnings = warnings
  }

  /// Opens the file once; later calls do nothing.
  func open() throws {
    guard path != "-" else { return }
    do {
      try state.withLock { (state) throws(SystemError) in
        if state.file == nil { state.file = try LogFile(path) }
      }
    } catch {
      throw Failure(.failure, "output_failed", "could not write the trace \(error)")
    }
  }

  /// Writes lines without control characters; a failure is reported once.
  func write(_ lines: [String]) {
    let text = lines.map { Visible.line($0) + "\n" }.joined()
    guard path != "-" else { return warnings.errors.write(text) }
    let failure: SystemError? = state.withLock { state in
      guard !state.failed, let file = state.file else { return nil }
      do throws(SystemError) {
        try file.write(text)
        return nil
      } catch {
        state.failed = true
        return error
      }
    }
    if let failure {
      warnings.write("could not write the trace: \(failure)")
    }
  }
}

extension Context {
  /// The options of sessions, without a trace of their requests.
  private var plainOptions: SessionOptions {
    var options = SessionOptions(programName: "sdkctl", userAgent: "sdkctl/\(Version.text)")
    options.deadline = deadline
    options.environmentCAFile = environment.caFile
    options.environmentCADirectory = environment.caDirectory
    options.trace = trace
    return options
  }

  /// How a shared store is reached: as the servers of a session are.
  var storeConnections: ConnectionOptions {
    var options = plainOptions
    options.pinReport = pinReport
    return options.connections
  }

  /// The options of every connection, with the file of `--trace` open; also without a profile.
  ///
  /// `caFile` is used instead of the file of the environment.
  func options(caFile: String? = nil) throws -> SessionOptions {
    var options = plainOptions
    if let caFile { options.environmentCAFile = caFile }
    guard let traceFile else { return options }
    try traceFile.open()
    options.exchangeTrace = { traceFile.write($0) }
    return options
  }
}
