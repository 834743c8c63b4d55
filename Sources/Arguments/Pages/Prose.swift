/// Prose of the table, taken apart.
///
/// Blank lines part blocks. A block whose lines are indented by four spaces is kept as it is; lines
/// that begin with `* ` are items; a line that begins with `# ` is a heading; anything else is a
/// paragraph that is wrapped again. Within a line `--name` is an option, words in backquotes are
/// code, and `{token decode}` is a reference.
struct Prose: Sendable {
  enum Block: Hashable, Sendable {
    case paragraph([Span])
    case list([[Span]])
    case literal([String])
    case heading(String)
  }

  enum Span: Hashable, Sendable {
    case text(String)
    case option(String)
    case code(String)
    case reference(String)
  }

  let blocks: [Block]

  init(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    blocks = lines.split { $0.allSatisfy { $0 == " " } }.reduce(into: []) { blocks, lines in
      Self.append(Array(lines), to: &blocks)
    }
  }

  /// The first paragraph with what it introduces, and the rest.
  var lead: (ArraySlice<Block>, details: ArraySlice<Block>) {
    let end = blocks.dropFirst().firstIndex {
      switch $0 {
      case .paragraph, .heading: true
      case .list, .literal: false
      }
    }
    return (blocks[..<(end ?? blocks.endIndex)], blocks[(end ?? blocks.endIndex)...])
  }

  var spans: [Span] {
    blocks.flatMap { block -> [Span] in
      switch block {
      case .paragraph(let spans): spans
      case .list(let items): items.flatMap(\.self)
      case .literal, .heading: []
      }
    }
  }

  private static func append(_ lines: [String], to blocks: inout [Block]) {
    guard !lines.isEmpty else { return }
    if lines.allSatisfy({ $0.hasPrefix("    ") }) {
      let stripped = lines.map { String($0.dropFirst(4)) }
      // A blank line between indented lines belongs to them.
      if case .literal(let before)? = blocks.last {
        blocks[blocks.count - 1] = .literal(before + [""] + stripped)
      } else {
        blocks.append(.literal(stripped))
      }
      return
    }
    var items: [String] = []
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("# ") {
        blocks.append(.heading(String(line.dropFirst(2))))
      } else if line.hasPrefix("* ") {
        items.append(String(line.dropFirst(2)))
      } else if items.isEmpty {
        let rest = lines[index...].prefix { !$0.hasPrefix("* ") }
        blocks.append(.paragraph(spans(in: rest.joined(separator: " "))))
        append(Array(lines[(index + rest.count)...]), to: &blocks)
        return
      } else {
        items[items.count - 1] += " " + line.drop { $0 == " " }
      }
    }
    if !items.isEmpty { blocks.append(.list(items.map(spans))) }
  }
}

extension Prose {
  static func spans(in line: String) -> [Span] {
    var spans: [Span] = []
    var text = ""
    var rest = line[...]
    func flush() {
      if !text.isEmpty { spans.append(.text(text)) }
      text = ""
    }
    while let character = rest.first {
      if character == "`", let code = enclosed(&rest, by: "`") {
        flush()
        spans.append(.code(code))
      } else if character == "{", let reference = enclosed(&rest, by: "}") {
        flush()
        spans.append(.reference(reference))
      } else if isWordStart(text), let name = optionName(&rest) {
        flush()
        spans.append(.option(name))
      } else {
        text.append(rest.removeFirst())
      }
    }
    flush()
    return spans
  }

  private static func enclosed(_ rest: inout Substring, by end: Character) -> String? {
    let body = rest.dropFirst()
    guard let close = body.firstIndex(of: end), close != body.startIndex else { return nil }
    rest = body[body.index(after: close)...]
    return String(body[..<close])
  }

  private static func optionName(_ rest: inout Substring) -> String? {
    guard rest.hasPrefix("--"), let letter = rest.dropFirst(2).first, letter.isLowercase
    else { return nil }
    var name = rest.dropFirst(2).prefix { $0.isLowercase || $0.isNumber || $0 == "-" }
    while name.last == "-" { name.removeLast() }
    rest = rest[name.endIndex...]
    return "--\(name)"
  }

  private static func isWordStart(_ before: String) -> Bool {
    guard let last = before.last else { return true }
    return !last.isLetter && !last.isNumber && last != "-"
  }
}
