import Primitives

/// Reads the tags of an HTML page, as far as forms need it: tolerant, in one pass, bounded.
///
/// Comments and the content of scripts and styles are skipped. Nothing of a page is executed.
struct HTMLTags {
  /// A tag or the text before the next one.
  enum Token {
    case start(name: String, attributes: [String: String])
    case end(name: String)
    case text(String)
  }

  private var rest: ArraySlice<UInt8>
  /// The element whose content is no markup, such as `script`.
  private var rawElement: String?

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  /// The next token; `nil` at the end.
  mutating func next() -> Token? {
    if let name = rawElement {
      rawElement = nil
      return .text(rawText(until: name))
    }
    while let first = rest.first {
      guard first == UInt8(ascii: "<") else { return .text(HTMLText.decoded(text())) }
      if starts(with: "<!--") {
        // `<!-->` and `<!--->` are whole.
        rest = rest.dropFirst(starts(with: "<!-->") || starts(with: "<!--->") ? 2 : 4)
        skip(past: ["-->", "--!>"])
      } else if starts(with: "<!") || starts(with: "<?") {
        skip(past: [">"])
      } else if let tag = tag() {
        return tag
      }
    }
    return nil
  }

  private mutating func text() -> [UInt8] {
    let end = rest.dropFirst().firstIndex(of: UInt8(ascii: "<")) ?? rest.endIndex
    defer { rest = rest[end...] }
    return Array(rest[..<end])
  }

  /// A tag at the front; `nil` for a `<` that begins none, which is skipped.
  private mutating func tag() -> Token? {
    rest = rest.dropFirst()
    let isEnd = rest.first == UInt8(ascii: "/")
    let name = rest.dropFirst(isEnd ? 1 : 0).prefix { $0.isLetter || $0.isDigit }
    guard name.first?.isLetter == true else { return nil }
    rest = rest[name.endIndex...]
    let tag = String(decoding: name, as: UTF8.self).asciiLowercased
    let attributes = attributes()
    if isEnd { return .end(name: tag) }
    if Self.rawElements.contains(tag) { rawElement = tag }
    return .start(name: tag, attributes: attributes)
  }

  /// Attributes up to the end of the tag; of repeated ones the first counts.
  private mutating func attributes() -> [String: String] {
    var attributes: [String: String] = [:]
    while true {
      rest = rest.drop { $0.isHTMLSpace || $0 == UInt8(ascii: "/") }
      guard let first = rest.first else { return attributes }
      if first == UInt8(ascii: ">") {
        rest = rest.dropFirst()
        return attributes
      }
      let name = rest.prefix { !$0.isHTMLSpace && $0 != 0x3E && $0 != 0x3D && $0 != 0x2F }
      // A lone `=` is no name.
      rest = rest.dropFirst(max(name.count, 1))
      let value = value()
      let key = String(decoding: name, as: UTF8.self).asciiLowercased
      if attributes[key] == nil, attributes.count < 64 {
        attributes[key] = HTMLText.decoded(value, isAttribute: true)
      }
    }
  }

  private mutating func value() -> [UInt8] {
    let before = rest
    rest = rest.drop(while: \.isHTMLSpace)
    guard rest.first == UInt8(ascii: "=") else {
      rest = before
      return []
    }
    rest = rest.dropFirst().drop(while: \.isHTMLSpace)
    guard let quote = rest.first, quote == 0x22 || quote == 0x27 else {
      let value = rest.prefix { !$0.isHTMLSpace && $0 != 0x3E }
      rest = rest[value.endIndex...]
      return Array(value)
    }
    let value = rest.dropFirst().prefix { $0 != quote }
    rest = rest[value.endIndex...].dropFirst()
    return Array(value)
  }

  private mutating func rawText(until name: String) -> String {
    let end = Array("</\(name)".utf8)
    var index = rest.startIndex
    while let mark = rest[index...].firstIndex(of: UInt8(ascii: "<")) {
      if rest[mark...].prefix(end.count).map(\.asciiLowercased) == end {
        defer { rest = rest[mark...] }
        let bytes = Array(rest[..<mark])
        return name == "textarea" || name == "title"
          ? HTMLText.decoded(bytes) : String(decoding: bytes, as: UTF8.self)
      }
      index = rest.index(after: mark)
    }
    defer { rest = [] }
    return String(decoding: rest, as: UTF8.self)
  }

  private func starts(with text: StaticString) -> Bool {
    text.withUTF8Buffer { rest.starts(with: $0) }
  }

  private mutating func skip(past ends: [StaticString]) {
    while !rest.isEmpty {
      if let end = ends.first(where: { starts(with: $0) }) {
        rest = rest.dropFirst(end.utf8CodeUnitCount)
        return
      }
      rest = rest.dropFirst()
    }
  }

  private static let rawElements: Set<String> = [
    "script", "style", "textarea", "title", "noscript", "template", "iframe", "xmp",
  ]
}

extension UInt8 {
  /// Whether the byte is white space in HTML.
  var isHTMLSpace: Bool { [0x09, 0x0A, 0x0C, 0x0D, 0x20].contains(self) }
}
