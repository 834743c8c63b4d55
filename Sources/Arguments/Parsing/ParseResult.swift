/// The result of parsing a command line.
package struct ParseResult<Globals: Sendable, Context: Sendable>: Sendable {
  /// The global options; with a usage error, those that could be read.
  package let globals: Globals

  package let outcome: ParseOutcome<Context>
}

/// What the program has to do.
package enum ParseOutcome<Context: Sendable>: Sendable {
  case run(Invocation<Context>)

  /// Help on a command; an empty path is the program.
  case help(path: [String], HelpLength)

  case version

  /// No command of the table: an alias, an external command, or unknown.
  case external(External)

  case usage(UsageError)

  /// The defaults of options could not be read.
  case failed(any Error)
}

/// A command with its arguments, ready to run.
package struct Invocation<Context: Sendable>: Sendable {
  package let path: [String]
  package let page: CommandInfo
  package let run: @Sendable (Context) async throws -> Void
  /// How the arguments could have named standard input, which none of them does.
  package let openInput: OpenInput?
}

extension Table {
  /// Reads raw arguments, without the program's own name.
  ///
  /// Defaults are read only if a command will run that documents name.
  package func read(
    _ arguments: [[UInt8]], defaults personal: OptionDefaults? = nil
  ) -> ParseResult<Globals, Context> {
    var syntax = SyntaxReader.read(arguments, catalog)
    var failure: (any Error)?
    if let personal, syntax.isRunnable {
      do { try syntax.add(personal, catalog) } catch { failure = error }
    }
    var globals = defaults
    var first = syntax.error
    do throws(UsageError) {
      try ArgumentDecoder.apply(syntax.globals, self.globals, to: &globals)
    } catch {
      first = first ?? error
    }
    return ParseResult(
      globals: globals, outcome: failure.map { .failed($0) } ?? outcome(syntax, first))
  }

  /// Reads arguments that are text already.
  package func read(_ words: [String]) -> ParseResult<Globals, Context> {
    read(words.map { Array($0.utf8) })
  }

  private func outcome(
    _ syntax: Syntax, _ first: UsageError?
  ) -> ParseOutcome<Context> {
    if let length = syntax.help { return .help(path: syntax.path, length) }
    if syntax.wantsVersion { return .version }
    do throws(UsageError) {
      if let first { throw first }
      if let external = syntax.external { return .external(external) }
      return .run(try invocation(syntax))
    } catch {
      var error = error
      if let word = error.word { error.advice = catalog.advice(syntax.path + [word]) }
      return .usage(error.of(syntax.path, catalog.program))
    }
  }

  private func invocation(
    _ syntax: Syntax
  ) throws(UsageError) -> Invocation<Context> {
    guard let entry = syntax.entry else {
      var error = UsageError("no command given")
      error.isWithoutCommand = true
      throw error
    }
    guard let command = command(syntax.path) else {
      let names = entry.words(after: syntax.words).map(\.word)
      let path = syntax.path.joined(separator: " ")
      var error = UsageError(
        "'\(path)' needs a command"
          + (syntax.words.isEmpty ? "" : ": \(Phrase.alternatives(names))"))
      error.isWithoutCommand = syntax.words.isEmpty
      throw error
    }
    let given = Set(syntax.globals.map { catalog.globals[$0.option].long })
    let inputs = syntax.globals.filter { $0.isInput(of: catalog.globals[$0.option]) }
    let (run, openInput) = try command.bind(syntax.own, syntax.operands, given, inputs)
    return Invocation(path: syntax.path, page: command.page, run: run, openInput: openInput)
  }
}

extension Syntax {
  /// Whether a command runs, as far as the words tell.
  fileprivate var isRunnable: Bool {
    help == nil && !wantsVersion && command?.page.isHidden == false
  }
}
