import JSON
import POSIX
import SDKCore
import Synchronization
import Trace

/// The file of `--trace`, opened by the first session of a command, which all of them write.
final class TraceFile: Sendable {
  /// `nil` for standard error.
  private let path: String?
  private let state = Mutex(State())

  private struct State {
    var file: LogFile?
    var archive: TailedFile?
    var hasEntries = false
    var failed = false
  }

  /// `-` stands for standard error.
  init(_ path: String) { self.path = path == "-" ? nil : path }

  /// Whether it is an HTTP archive, by its name.
  var isArchive: Bool { path?.hasSuffix(".har") == true }

  /// Opens the file once; later calls do nothing.
  func open() throws {
    guard let path else { return }
    do {
      try state.withLock { (state) throws(SystemError) in
        guard isArchive else {
          if state.file == nil { state.file = try LogFile(path) }
          return
        }
        guard state.archive == nil else { return }
        state.archive = try TailedFile(
          path, head: HTTPArchive.head(creator: "sdkctl", version: Version.text),
          tail: HTTPArchive.tail)
      }
    } catch {
      throw Failure(.outputFailed, "could not write the trace \(error)")
    }
  }

  /// Writes lines without control characters; a failure is reported once.
  func write(_ lines: [String], _ warnings: Warnings) {
    let text = lines.map { Visible.line($0) + "\n" }.joined()
    guard path != nil else { return warnings.errors.write(text) }
    attempt(warnings) { (state) throws(SystemError) in try state.file?.write(text) }
  }

  /// Adds an entry to the archive; a failure is reported once.
  func write(_ entry: JSON, _ warnings: Warnings) {
    attempt(warnings) { (state) throws(SystemError) in
      try state.archive?.add((state.hasEntries ? ",\n" : "\n") + entry.serialized())
      state.hasEntries = true
    }
  }

  private func attempt(
    _ warnings: Warnings, _ body: (inout State) throws(SystemError) -> Void
  ) {
    let failure: SystemError? = state.withLock { state in
      guard !state.failed else { return nil }
      do throws(SystemError) {
        try body(&state)
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
    var options = SessionOptions.ofProgram(asking: authenticatorDelegates, enrolmentQuestions)
    options.deadline = deadline
    options.environmentCAFile = environment.caFile
    options.environmentCADirectory = environment.caDirectory
    options.trace = trace
    return options
  }

  /// How a shared store is reached: as the servers of a session are.
  var storeOptions: SessionOptions {
    get throws {
      var options = try options()
      options.pinReport = pinReport
      return options
    }
  }

  /// The options of every connection, with the file of `--trace` open; also without a profile.
  ///
  /// `caFile` is used instead of the file of the environment.
  func options(caFile: String? = nil) throws -> SessionOptions {
    var options = plainOptions
    if let caFile { options.environmentCAFile = caFile }
    guard let traceFile else { return options }
    try traceFile.open()
    let warnings = warnings
    if traceFile.isArchive {
      options.exchangeEntries = { traceFile.write($0, warnings) }
    } else {
      options.exchangeTrace = { traceFile.write($0, warnings) }
    }
    return options
  }
}
