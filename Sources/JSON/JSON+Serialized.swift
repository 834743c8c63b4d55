internal import Primitives

extension JSON {
  /// How a document is laid out.
  public enum Layout: Sendable {
    /// On one line, without white space.
    case compact
    /// Two spaces a level, for people, `diff` and git.
    case pretty
  }

  /// The document as text, with sorted member names and no final line break.
  public func serialized(_ layout: Layout = .compact) -> String {
    var text = ""
    write(to: &text, layout: layout, depth: 0)
    return text
  }

  private func write(to text: inout String, layout: Layout, depth: Int) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .number(let value): text += value.text
    case .string(let value): writeQuoted(value, to: &text)
    case .array(let elements):
      writeList("[", "]", elements, to: &text, layout: layout, depth: depth) { element, text in
        element.write(to: &text, layout: layout, depth: depth + 1)
      }
    case .object(let members):
      writeList("{", "}", members.sorted, to: &text, layout: layout, depth: depth) { member, text in
        writeQuoted(member.key, to: &text)
        text += layout == .pretty ? ": " : ":"
        member.value.write(to: &text, layout: layout, depth: depth + 1)
      }
    }
  }
}

private func writeList<Element>(
  _ opening: String, _ closing: String, _ elements: [Element], to text: inout String,
  layout: JSON.Layout, depth: Int, write: (Element, inout String) -> Void
) {
  text += opening
  for (index, element) in elements.enumerated() {
    if index > 0 { text += "," }
    breakLine(&text, layout: layout, depth: depth + 1)
    write(element, &text)
  }
  if !elements.isEmpty { breakLine(&text, layout: layout, depth: depth) }
  text += closing
}

private func breakLine(_ text: inout String, layout: JSON.Layout, depth: Int) {
  guard layout == .pretty else { return }
  text += "\n"
  text += String(repeating: "  ", count: depth)
}

private func writeQuoted(_ string: String, to text: inout String) {
  text += "\""
  defer { text += "\"" }
  let isPlain = string.utf8.allSatisfy {
    (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
  }
  if isPlain {
    text += string
    return
  }
  for scalar in string.unicodeScalars {
    switch scalar {
    case "\"": text += "\\\""
    case "\\": text += "\\\\"
    case "\n": text += "\\n"
    case "\r": text += "\\r"
    case "\t": text += "\\t"
    // More than RFC 8259 requires: DEL, C1 controls and marks of writing direction act on terminals
    // too, and the document must be safe to print.
    case _ where scalar.acts:
      for unit in String(scalar).utf16 {
        text += "\\u" + Hex.encode([UInt8(unit >> 8), UInt8(unit & 0xFF)])
      }
    default: text.unicodeScalars.append(scalar)
    }
  }
}
