struct SyntaxReader {
  private let catalog: CommandCatalog
  private let arguments: [[UInt8]]
  private var lexer: Lexer
  private var syntax = Syntax()

  static func read(_ arguments: [[UInt8]], _ catalog: CommandCatalog) -> Syntax {
    var reader = SyntaxReader(
      catalog: catalog, arguments: arguments, lexer: Lexer(arguments))
    return reader.read()
  }

  private mutating func read() -> Syntax {
    while true {
      do throws(UsageError) {
        guard let lexeme = try lexer.next() else { break }
        try take(lexeme)
      } catch {
        syntax.error = syntax.error ?? error
      }
    }
    syntax.isOperandsOnly = lexer.isOperandsOnly
    syntax.isOpen = isOpen
    return syntax
  }

  private mutating func take(_ lexeme: Lexeme) throws(UsageError) {
    switch lexeme {
    case .operand(let word): try place(word)
    // An attached value is left to the lexer, which refuses it.
    case .long("help") where lexer.hasAttachedValue: break
    case .long("help"): syntax.help = syntax.help ?? .long
    case .short("h"): syntax.help = syntax.help ?? .short
    case .long("version") where syntax.entry == nil:
      syntax.wantsVersion = !lexer.hasAttachedValue
    case .long(let name): try option(lexeme, "--\(name)")
    case .short(let letter): try option(lexeme, "-\(letter)")
    }
  }

  // MARK: Options

  private mutating func option(_ lexeme: Lexeme, _ spelling: String) throws(UsageError) {
    guard let match = syntax.option(lexeme, catalog.globals) else {
      _ = lexer.takeAttached()
      throw UsageError(
        "unknown option \(Phrase.quoted(spelling))", suggestion: suggestion(for: spelling),
        advice: catalog.advice((syntax.command?.path ?? []) + [spelling]))
    }
    let setting = try value(of: match.option, spelling) ?? match.setting
    let assignment = Assignment(option: match.index, spelling: spelling, setting: setting)
    if match.isGlobal { syntax.globals.append(assignment) } else { syntax.own.append(assignment) }
  }

  private mutating func value(
    of option: OptionDoc, _ spelling: String
  ) throws(UsageError) -> Setting? {
    guard let name = option.valueName else { return nil }
    guard let value = try lexer.value() else {
      syntax.pending = option
      throw UsageError("option '\(spelling)' needs a value (\(name))")
    }
    return .text(value)
  }

  private func suggestion(for spelling: String) -> String? {
    let own = syntax.command?.options ?? []
    let version = syntax.entry == nil ? catalog.versionOption : []
    let options = own + catalog.documentedGlobals + version
    return Suggestion.nearest(to: spelling, among: options.flatMap(\.names))
  }

  // MARK: Words

  private var isOpen: Bool {
    syntax.operands.isEmpty && syntax.command?.path.count ?? 1 == 1 && !lexer.isOperandsOnly
  }

  private mutating func place(_ word: String) throws(UsageError) {
    guard let entry = syntax.entry else { return try placeFirst(word) }
    let (words, subcommands) = (syntax.words + [word], isOpen ? entry.subcommands : [])
    if let subcommand = subcommands.first(where: { $0.page.words == words }) {
      syntax.command = subcommand
      return try refuseOptions(before: subcommand)
    }
    if subcommands.contains(where: { $0.page.words.starts(with: words) }) {
      syntax.words = words
      return
    }
    if !subcommands.isEmpty, syntax.command?.operands.isEmpty ?? true {
      syntax.operands.append(word)
      throw catalog.unknownSubcommand(words.joined(separator: " "), of: entry)
    }
    syntax.operands.append(word)
    if syntax.command?.isVerbatim(after: syntax.operands.count) == true { lexer.endOptions() }
  }

  private mutating func placeFirst(_ word: String) throws(UsageError) {
    guard !lexer.isOperandsOnly else { throw UsageError("no command before '--'") }
    if let entry = catalog.entry(word) {
      syntax.entry = entry
      syntax.command = entry.command
      return
    }
    let leading = Array(arguments[..<(lexer.position - 1)])
    syntax.external = External(name: word, leading: leading, trailing: lexer.takeRemaining())
  }

  private mutating func refuseOptions(
    before subcommand: CommandCatalog.CommandDoc
  ) throws(UsageError) {
    guard let given = syntax.own.first else { return }
    throw UsageError(
      "option '\(given.spelling)' is before '\(subcommand.page.name)', "
        + "whose options follow it")
  }
}

extension CommandCatalog.CommandDoc {
  /// Whether all further words belong to a foreign command line.
  fileprivate func isVerbatim(after count: Int) -> Bool {
    operands.last?.arity == .verbatim && count >= operands.count
  }
}
