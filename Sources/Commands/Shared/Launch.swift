import Arguments
import JSON
import POSIX
import Primitives
import SDKCore

/// The program: reads the command line, runs one command, says what failed, and exits.
package enum Launch {
  /// Runs the program.
  ///
  /// The process is made safe before anything asynchronous starts: the runtime
  /// opens descriptors of its own, and one of these must not become a standard one.
  package static func main() -> Never {
    ProcessSetup.prepare()
    // Tasks and transfers share the first thread: to start another one takes longer than most
    // commands, and to change between two of them longer than most steps of a request.
    TaskThread.become {
      end(await run(Array(ProcessSetup.rawArguments.dropFirst()), Ports()))
    }
  }

  private static func end(_ ending: Ending) -> Never {
    switch ending.report() {
    case .signal(let number): ProcessSetup.reraise(number)
    case .status(let exit): ProcessSetup.exit(exit.rawValue)
    case .command(let status): ProcessSetup.exit(status)
    }
  }

  /// Runs one command line without the program's name.
  static func run(_ arguments: [[UInt8]], _ ports: Ports) async -> Ending {
    await run(arguments, ports, expandsAliases: true)
  }

  private static func run(
    _ arguments: [[UInt8]], _ ports: Ports, expandsAliases: Bool
  ) async -> Ending {
    var ports = ports
    ports.arguments = arguments.map { String(decoding: $0, as: UTF8.self) }
    let personal = PersonalDefaults(
      ports.environment,
      in: { [ports] in ProfileStore(try StoreLocation(ports.environment, site: ports.site)) })
    let reading = commandTable.read(arguments, defaults: personal.lookup)
    let context = Context(globals: reading.globals, ports: ports)
    switch reading.outcome {
    case .run(let invocation):
      if let word = ports.environment.unknownPrompt, !PersonalDefaults.works(invocation.path) {
        let message = "could not use SDKCTL_PROMPT: expected never, not '\(Visible.line(word))'"
        return Ending(context, Failure.usage(message))
      }
      return await run(invocation, in: context)
    case .help(let path, let length):
      context.output.write(commandTable.catalog.help(path, length) ?? "")
      return Ending(context)
    case .version:
      context.print("sdkctl \(Version.text)")
      return Ending(context)
    case .external(let external):
      do {
        if let words = try alias(external.name, context) {
          guard expandsAliases else {
            throw Failure(
              .invalidConfiguration,
              "could not use the alias '\(Visible.line(external.name))' in an alias: it must name a command"
            )
          }
          let expanded = external.leading + words + external.trailing
          return await run(expanded, ports, expandsAliases: false)
        }
      } catch {
        return Ending(context, context.failure(error))
      }
      return Ending(context, runExternal(external, context))
    case .usage(let error):
      if error.isWithoutCommand, !context.globals.hasJSONErrors {
        context.errors.write(commandTable.catalog.help(error.path, .short) ?? "")
      }
      return Ending(context, Failure(error))
    case .failed(let error): return Ending(context, context.failure(error))
    }
  }

  private static func run(
    _ invocation: Invocation<Context>, in context: Context
  ) async -> Ending {
    do {
      // A prompt changes the settings of the terminal, and must restore them at its end.
      let asks = invocation.page.needs.contains(.terminal)
      let result = CommandResult()
      let signal = try await context.ports.cancelling(!asks) {
        result.failure = await outcome(of: invocation, in: context)
      }
      // A command that ran in place of this program has got the signal, and decides how both end.
      let counts = signal == nil || result.failure?.commandStatus != nil
      return Ending(context, counts ? result.failure : nil, signal: signal)
    } catch {
      return Ending(
        context, Failure(.unavailable, "could not watch for signals: \(error)"))
    }
  }

  private static func outcome(
    of invocation: Invocation<Context>, in context: Context
  ) async -> Failure? {
    if context.field != nil, invocation.page.output == nil {
      let name = invocation.path.joined(separator: " ")
      return .usage("could not print a field: '\(name)' does not print JSON")
    }
    if let open = invocation.openInput, context.input.isRedirected {
      return context.unnamedInput(open)
    }
    do {
      try await invocation.run(context)
      return context.field?.failure
    } catch {
      let failure = context.failure(error)
      guard failure.isSilent, let missing = context.field?.failure else { return failure }
      return Failure(missing.code, exit: failure.exit, missing.message)
    }
  }

  private static func alias(
    _ word: String, _ context: Context
  ) throws -> [[UInt8]]? {
    let store = try context.store()
    let aliases = try store.aliases()
    guard let text = aliases[word]?.string else { return nil }
    guard let words = ShellWord.split(text) else {
      throw Failure(
        .invalidConfiguration, "could not use the alias '\(word)': a quote is left open")
    }
    return words.map { Array($0.utf8) }
  }
}

/// The result of a command: written once, at its end, and read after that.
private final class CommandResult: @unchecked Sendable {
  var failure: Failure?
}

extension Failure {
  fileprivate init(_ error: UsageError) {
    if error.isConfiguration {
      self.init(.invalidConfiguration, error.message, hints: [])
    } else {
      self.init(.usage, error.message, hints: [error.hint])
    }
  }
}
