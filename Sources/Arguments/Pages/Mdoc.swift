import Primitives

/// A manual page in the making, in the mdoc language.
///
/// Text is escaped here only: callers pass plain words and prose.
struct Mdoc {
  private let catalog: CommandCatalog
  private(set) var text = ""

  init(_ catalog: CommandCatalog, title: String, section: String, date: ManualDate) {
    self.catalog = catalog
    raw(".Dd \(date.text)")
    raw(".Dt \(Self.name(title.uppercased())) \(section)")
    macro("Os", [catalog.program.name, catalog.program.version].filter { !$0.isEmpty })
  }

  mutating func section(_ title: String) {
    macro("Sh", [title])
  }

  mutating func subsection(_ title: String) {
    macro("Ss", [title])
  }

  /// A macro whose arguments are words: they are not read as macros or delimiters.
  mutating func macro(_ name: String, _ words: [String] = []) {
    raw(([".\(name)"] + words.map(Self.argument)).joined(separator: " "))
  }

  /// A macro line that is escaped already.
  mutating func raw(_ line: String) {
    text += line + "\n"
  }

  /// Blocks of prose, with paragraph breaks between them.
  mutating func prose(_ source: String) {
    var needsBreak = false
    for block in Prose(source).blocks {
      if needsBreak, case .paragraph = block { raw(".Pp") }
      write(block)
      if case .heading = block { needsBreak = false } else { needsBreak = true }
    }
  }

  /// One line of prose as a sentence: a capital at its beginning, a period at its end.
  mutating func sentence(_ source: String) {
    let begun = source.prefix(1).uppercased() + source.dropFirst()
    fill(Prose.spans(in: begun.last.map { ".!?".contains($0) } == true ? begun : begun + "."))
  }

  mutating func literal(_ lines: [String]) {
    raw(".Bd -literal -offset indent")
    for line in lines { raw(Self.line(Self.escaped(line, keepsHyphens: false))) }
    raw(".Ed")
  }

  private mutating func write(_ block: Prose.Block) {
    switch block {
    case .paragraph(let spans): fill(spans)
    case .literal(let lines): literal(lines)
    case .heading(let title): subsection(title)
    case .list(let items):
      raw(".Bl -bullet -compact")
      for item in items {
        raw(".It")
        fill(item)
      }
      raw(".El")
    }
  }

  /// Fills spans into lines, with a new line after each sentence, as mdoc wants it.
  private mutating func fill(_ spans: [Prose.Span]) {
    var line = ""
    for word in words(spans) {
      if !line.isEmpty, line.count + 1 + word.escaped.count > 78 {
        raw(Self.line(line))
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word.escaped
      if word.endsSentence {
        raw(Self.line(line))
        line = ""
      }
    }
    if !line.isEmpty { raw(Self.line(line)) }
  }

  private func words(_ spans: [Prose.Span]) -> [Word] {
    var words: [Word] = []
    var isOpen = false
    for span in spans {
      let (text, isBold) = rendered(span)
      for (index, piece) in text.split(separator: " ", omittingEmptySubsequences: false)
        .enumerated()
      {
        let escaped = Self.escaped(String(piece), keepsHyphens: !isBold)
        let styled = isBold && !piece.isEmpty ? "\\fB\(escaped)\\fP" : escaped
        if index == 0, isOpen, var last = words.popLast() {
          last.plain += piece
          last.escaped += styled
          words.append(last)
        } else {
          words.append(Word(plain: String(piece), escaped: styled))
        }
        isOpen = true
      }
    }
    return words.filter { !$0.plain.isEmpty }
  }

  private func rendered(_ span: Prose.Span) -> (text: String, isBold: Bool) {
    switch span {
    case .text(let text): (text, false)
    case .option(let text), .code(let text): (text, true)
    case .reference(let text): (catalog.reference(text).map(catalog.commandText) ?? text, true)
    }
  }

  private struct Word {
    var plain: String
    var escaped: String

    var endsSentence: Bool {
      let end = plain.reversed().first { !"')\"".contains($0) }
      return end.map { ".!?".contains($0) } ?? false
    }
  }
}

// How text becomes roff.
extension Mdoc {
  /// Text with every special character escaped; without `keepsHyphens`, a hyphen becomes a minus.
  static func escaped(_ text: String, keepsHyphens: Bool) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\\": result += "\\e"
      case "\"": result += "\\(dq"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case "-": result += keepsHyphens ? "-" : "\\-"
      case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
      }
    }
  }

  /// A text line: a period at its beginning does not start a macro.
  static func line(_ escaped: String) -> String {
    escaped.hasPrefix(".") ? "\\&" + escaped : escaped
  }

  /// The name of a page; its hyphens stay hyphens.
  static func name(_ name: String) -> String {
    escaped(name, keepsHyphens: true)
  }

  /// A word among the arguments of a macro: never a macro or a delimiter itself.
  static func argument(_ word: String) -> String {
    let escaped = escaped(word, keepsHyphens: false)
    let isSpecial =
      word.count <= 3 && word.allSatisfy { $0.isLetter } && word.first?.isUppercase == true
    let isDelimiter = word.count == 1 && ".,:;()[]?!|".containsText(word)
    let guarded = isSpecial || isDelimiter ? "\\&" + escaped : escaped
    return word.isEmpty || word.contains(" ") ? "\"\(guarded)\"" : guarded
  }
}
