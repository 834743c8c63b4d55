import Arguments
import POSIX
import Synchronization

/// The program: finds the command, runs it, and tells what went wrong.
package enum Program {
  /// Runs the program to its end.
  package static func main() async -> Never {
    ProcessSetup.prepare()
    let words = ProcessSetup.rawArguments.dropFirst().map { String(decoding: $0, as: UTF8.self) }
    let reading = commandTable.read(words)
    let context = Context(globals: reading.globals, environment: .current, words: words)
    guard case .run(let invocation) = reading.outcome, invocation.page.needs.contains(.network)
    else { ProcessSetup.exit(await run(reading.outcome, context)) }
    // What serves ends in order at a signal; `stop` sends SIGTERM, and that is success.
    let status = Mutex<Int32>(0)
    do throws(SystemError) {
      let signal = try await Signals.cancelling {
        let end = await run(.run(invocation), context)
        status.withLock { $0 = end }
      }
      if let signal, signal != Signals.termination { ProcessSetup.reraise(signal) }
    } catch {
      ProcessSetup.exit(report(Failure("watch for signals", error, exit: .other)))
    }
    ProcessSetup.exit(status.withLock { $0 })
  }

  private static func run(_ outcome: ParseOutcome<Context>, _ context: Context) async -> Int32 {
    do {
      switch outcome {
      case .run(let invocation): try await invocation.run(context)
      case .help(let path, let length):
        Output.standard.write(commandTable.catalog.help(path, length) ?? "")
      case .version: throw Failure.usage("unknown option '--version'")
      case .external(let external):
        let error = commandTable.catalog.unknownCommand(external.name)
        throw Failure(error.message, hint: error.hint, exit: .usage)
      case .usage(let error):
        if error.isWithoutCommand {
          Output.errors.write(commandTable.catalog.help(error.path, .short) ?? "")
        }
        throw Failure(error.message, hint: error.hint, exit: .usage)
      case .failed(let error): throw error
      }
      try Output.standard.flush()
      return 0
    } catch let error as SystemError where error.isBrokenPipe {
      // A reader that went away ends us as it would end cat; other lost output is a failure.
      return 128 + Signals.brokenPipe
    } catch {
      try? Output.standard.flush()
      return report(error as? Failure ?? Failure("could not run the command: \(error)"))
    }
  }

  private static func report(_ failure: Failure) -> Int32 {
    if !failure.message.isEmpty {
      Output.errors.write("sdkctl-sandbox: error: \(failure.message)\n")
    }
    if let hint = failure.hint { Output.errors.write("sdkctl-sandbox: hint: \(hint)\n") }
    return failure.exit.rawValue
  }
}
