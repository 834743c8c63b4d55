import Arguments
import JSON
import POSIX
import SDKCore

/// The program: reads the command line, runs one command, says what failed, and exits.
package enum Launch {
  /// Runs the program.
  ///
  /// The process is made safe before anything asynchronous starts: the runtime
  /// opens descriptors of its own, and one of these must not become a standard one.
  package static func main() -> Never {
    ProcessSetup.prepare()
    Task.detached { await run() }
    ProcessSetup.waitForEnd()
  }

  private static func run() async -> Never {
    let arguments = Array(ProcessSetup.rawArguments.dropFirst())
    let ending = await run(arguments, expandsAliases: true)
    finish(ending)
  }

  private static func run(_ arguments: [[UInt8]], expandsAliases: Bool) async -> Ending {
    let reading = commandTable.read(arguments)
    let context = Context(globals: reading.globals)
    switch reading.outcome {
    case .run(let invocation): return await run(invocation, in: context)
    case .help(let path, let length):
      context.output.write(commandTable.manual.help(path, length) ?? "")
      return Ending(context)
    case .version:
      context.print("sdkctl \(Version.text)")
      return Ending(context)
    case .external(let external):
      do throws(Failure) {
        if expandsAliases, let words = try alias(external.name, context) {
          let expanded = external.leading + words + external.trailing
          return await run(expanded, expandsAliases: false)
        }
      } catch {
        return Ending(context, error)
      }
      return Ending(context, runExternal(external, context))
    case .usage(let error): return Ending(context, Failure(error))
    }
  }

  private static func run(
    _ invocation: Invocation<Context, Failure>, in context: Context
  ) async -> Ending {
    // A command that neither waits nor asks is not worth a signal handler: its
    // writes are atomic, and the default disposition ends it at once.
    guard !invocation.page.needs.isDisjoint(with: [.network, .terminal]) else {
      return Ending(context, await outcome(of: invocation, in: context))
    }
    do {
      let (failure, signal) = try await Signals.cancelling {
        await outcome(of: invocation, in: context)
      }
      return Ending(context, signal == nil ? failure : nil, signal: signal)
    } catch {
      return Ending(context, Failure(.failure, "signals", "could not watch for signals: \(error)"))
    }
  }

  private static func outcome(
    of invocation: Invocation<Context, Failure>, in context: Context
  ) async -> Failure? {
    do {
      try await invocation.run(context)
      return nil
    } catch {
      return error
    }
  }

  private static func alias(
    _ word: String, _ context: Context
  ) throws(Failure) -> [[UInt8]]? {
    let store = try context.store()
    let aliases = try translating(nil) { () throws(SDKError) in try store.aliases() }
    guard let text = aliases[word]?.string else { return nil }
    guard let words = ShellWord.split(text) else {
      throw Failure(
        .configuration, "invalid_configuration",
        "could not use the alias '\(word)': a quote is left open")
    }
    return words.map { Array($0.utf8) }
  }

  /// Ends the process as its outcome says.
  private static func finish(_ ending: Ending) -> Never {
    let context = ending.context
    var failure = ending.failure
    do throws(SystemError) {
      try context.output.flush()
    } catch {
      if error.isBrokenPipe { ProcessSetup.reraise(Signals.brokenPipe) }
      failure =
        failure
        ?? Failure(.failure, "output_failed", "could not write the output: \(error.message)")
    }
    if let signal = ending.signal { ProcessSetup.reraise(signal) }
    if let failure, !failure.isSilent {
      let isTerminal = Terminal.isTerminal(context.errors.descriptor)
      let report = ErrorReport(globals: context.globals, isTerminal: isTerminal)
      context.errors.write(report.text(failure))
    }
    ProcessSetup.exit((failure?.exit ?? .success).rawValue)
  }
}

/// How a run came to its end.
private struct Ending: Sendable {
  let context: Context
  let failure: Failure?
  let signal: Int32?

  init(_ context: Context, _ failure: Failure? = nil, signal: Int32? = nil) {
    self.context = context
    self.failure = failure
    self.signal = signal
  }
}

extension Failure {
  fileprivate init(_ error: UsageError) {
    self.init(.usage, "usage", error.message, hints: [error.hint])
  }
}
