import Primitives

/// Prose as lines for a terminal.
package struct PlainText {
  let catalog: CommandCatalog
  var width = 80

  /// The lines of prose, indented, with blank lines between blocks.
  func lines(_ text: String, indent: Int = 0) -> [String] {
    lines(Prose(text).blocks[...], indent: indent)
  }

  /// The lines of blocks of prose, indented, with blank lines between them.
  func lines(_ blocks: ArraySlice<Prose.Block>, indent: Int = 0) -> [String] {
    var result: [String] = []
    for block in blocks {
      if !result.isEmpty { result.append("") }
      result += lines(block, indent: indent)
    }
    return result
  }

  /// One line of prose without its markup.
  func plain(_ text: String) -> String {
    plain(Prose.spans(in: text))
  }

  /// Fills words into lines; a word that is too long stands alone.
  func wrapped(_ text: String, indent: Int, hanging: String = "") -> [String] {
    let margin = String(repeating: " ", count: indent)
    let blanks = margin + String(repeating: " ", count: hanging.count)
    let lines = Self.filled(text, width: width - blanks.count)
    return lines.enumerated().map { ($0.offset == 0 ? margin + hanging : blanks) + $0.element }
  }

  /// Fills words into lines of a width; a word that is too long stands alone.
  package static func filled(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.columns + 1 + word.columns <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  private func lines(_ block: Prose.Block, indent: Int) -> [String] {
    switch block {
    case .paragraph(let spans): wrapped(plain(spans), indent: indent)
    case .list(let items): items.flatMap { wrapped(plain($0), indent: indent, hanging: "* ") }
    case .literal(let lines):
      lines.map { $0.isEmpty ? "" : String(repeating: " ", count: indent + 2) + $0 }
    case .heading(let title): [String(repeating: " ", count: indent) + title]
    }
  }

  private func plain(_ spans: [Prose.Span]) -> String {
    spans.map { span in
      switch span {
      case .text(let text): text
      case .option(let name): name
      case .code(let code): code.contains(" ") ? quoted(code) : code
      case .reference(let text): catalog.reference(text).map(quoted) ?? text
      }
    }.joined()
  }

  /// A command in quotes; in backquotes if it has quotes itself.
  private func quoted(_ code: String) -> String {
    code.contains("'") ? "`\(code)`" : "'\(code)'"
  }

  private func quoted(_ reference: Reference) -> String {
    if case .foreign = reference { return catalog.commandText(reference) }
    return "'\(catalog.commandText(reference))'"
  }
}
