// The spans within a line of prose.
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
