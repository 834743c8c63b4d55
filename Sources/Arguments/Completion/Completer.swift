extension CommandCatalog {
  /// What a shell may offer for the last of the words that were typed behind the program's name.
  package func offer(_ words: [String]) -> Offer {
    let syntax = SyntaxReader.read(words.dropLast().map { Array($0.utf8) }, self)
    return Completer(catalog: self, syntax: syntax, words: words).offer
  }
}

/// Finds what may stand at the end of a command line, which was read up to there.
private struct Completer {
  let catalog: CommandCatalog
  let syntax: Syntax
  let words: [String]

  private var typed: String { words.last ?? "" }

  var offer: Offer {
    if syntax.external != nil { return Offer(.files) }
    if let option = syntax.pending { return values(option.completion) }
    guard !syntax.isOperandsOnly, typed.hasPrefix("-") else { return word }
    return attachedValue ?? options
  }

  // MARK: Options

  /// The values of the option to which the last word attaches one: `--profile=w`, `-pw`.
  private var attachedValue: Offer? {
    var lexer = Lexer([Array(typed.utf8)])
    while let lexeme = try? lexer.next(), let match = syntax.option(lexeme, catalog.globals) {
      guard match.option.takesValue, let value = lexer.takeAttached() else { continue }
      let lead = typed.unicodeScalars.dropLast(value.unicodeScalars.count)
      return values(match.option.completion, lead: String(Substring(lead)))
    }
    return nil
  }

  /// The options that can still be given.
  private var options: Offer {
    let further = [CommandCatalog.help] + (syntax.entry == nil ? catalog.versionOption : [])
    let usable =
      unused(syntax.command?.options ?? [], syntax.own)
      + unused(catalog.globals, syntax.globals) + further
    let rows = usable.flatMap { option in option.forms.map { ($0, option.summary) } }
    return offer(rows, beside: Offer(.none))
  }

  private func unused(_ options: [OptionDoc], _ assignments: [Assignment]) -> [OptionDoc] {
    let given = assignments.map { options[$0.option] }
    return options.filter { option in !given.contains { $0.rulesOut(option) } }
  }

  // MARK: Words and values

  private var word: Offer {
    guard let entry = syntax.entry else {
      guard !syntax.isOperandsOnly else { return Offer(.none) }
      let commands = catalog.visibleEntries.map { ($0.page.name, $0.page.summary) }
      return offer(commands, beside: Offer(.externals))
    }
    let commands = syntax.isOpen ? entry.words(after: syntax.words) : []
    return offer(commands, beside: operand)
  }

  private var operand: Offer {
    let operands = syntax.command?.operands ?? []
    let number = syntax.operands.count
    guard let operand = number < operands.count ? operands[number] : operands.last,
      number < operands.count || operand.isMany
    else { return Offer(.none) }
    guard operand.arity == .verbatim else { return values(operand.completion) }
    return Offer(.commandLine(words.count - number + operands.count - 1))
  }

  private func values(_ completion: Completion, lead: String = "") -> Offer {
    switch completion {
    case .none: return Offer(.none)
    case .file: return Offer(.files, lead: lead)
    case .directory: return Offer(.directories, lead: lead)
    case .dynamic(let kind):
      return Offer(
        .values(kind), lead: lead, operands: syntax.operands, path: syntax.command?.path ?? [])
    case .choices(let choices):
      var offer = Offer(.none, lead: lead)
      offer.add(choices)
      return offer
    }
  }

  private func offer(_ rows: [(word: String, summary: String)], beside other: Offer) -> Offer {
    let text = PlainText(catalog: catalog)
    var offer = other
    offer.add(rows.map { ($0.word, text.plain($0.summary)) })
    return offer
  }
}
