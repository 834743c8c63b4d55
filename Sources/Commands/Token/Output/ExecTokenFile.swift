import POSIX
import SDKCore

/// The file of `sdkctl exec --token-file-as`, in a directory of its own for this user only.
struct ExecTokenFile {
  let file: TokenFile
  private let directory: String

  /// Makes the directory; those of runs that were killed are removed.
  init(in location: StoreLocation) throws {
    let parent = location.pending
    directory = parent + "/" + LeftoverFiles.name()
    file = TokenFile(path: directory + "/token")
    let directory = directory
    try Failure.writing { () throws(SystemError) in try Directory.create(parent, mode: 0o700) }
    // Whoever can change it could put another file in the place of the token's.
    do throws(SDKError) { try PendingLogins.requirePrivate(parent) } catch {
      throw error.during("could not write the token")
    }
    try Failure.writing { () throws(SystemError) in
      try? LeftoverFiles.sweep(parent)
      try Directory.create(directory, mode: 0o700)
    }
  }

  func remove() { try? Directory.remove(tree: directory) }
}

extension Exec {
  /// Runs the command while a file has a valid token; returns when the command has ended.
  ///
  /// - Throws: always; a silent failure with the status of the command.
  static func run(
    _ program: String, _ arguments: Arguments, _ environment: Environment, in context: Context
  ) async throws {
    let place = try ExecTokenFile(in: context.store().location)
    defer { place.remove() }
    var watch = TokenWatch(context, place.file, arguments.selection.demand) { context, demand in
      let selection = arguments.selection.demanding(demand)
      let tokens = try await selection.token(in: try context.session(), context)
      return WrittenToken(lines: [tokens.accessToken], expires: tokens.expires)
    }
    try await watch.begin()
    var environment = environment
    for name in arguments.fileVariables { environment[name] = place.file.path }
    let process = try start(program, arguments.command, environment)
    let started = watch
    let renewal = Task(executorPreference: TaskThread.current) {
      var watch = started
      do { try await watch.run() } catch {
        let failure = context.failure(error)
        context.warning("the token is not renewed any more: \(failure.message)")
      }
    }
    let status = try await end(of: process, context)
    renewal.cancel()
    _ = await renewal.value
    // Success is one too: a command may end so after a signal.
    throw Failure.ended(status)
  }

  static func start(
    _ program: String, _ command: [String], _ environment: Environment
  ) throws(Failure) -> ForegroundProcess {
    do throws(SystemError) {
      return try ForegroundProcess(program, Array(command.dropFirst()), environment: environment)
    } catch {
      throw notRun(program, error)
    }
  }

  /// Waits for the end of a command, which a signal ends.
  static func end(of process: ForegroundProcess, _ context: Context) async throws -> ExitStatus {
    try await CriticalSection.run {
      try await withTaskCancellationHandler {
        try await process.wait()
      } onCancel: {
        process.passOnSignal(hasTerminal: context.terminal.isTerminal(.input))
      }
    }
  }
}
