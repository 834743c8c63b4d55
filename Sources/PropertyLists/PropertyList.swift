package import Primitives

/// A value of a property list: those kinds that configurations of apps use.
package indirect enum PropertyList: Sendable, Hashable {
  case dictionary([String: PropertyList])
  case array([PropertyList])
  case string(String)
  case boolean(Bool)
  case integer(Int64)
  /// Another kind, by the name of its element.
  case other(String)

  package init(_ bytes: [UInt8]) throws(DocumentError) {
    guard !bytes.starts(with: "bplist".utf8) else {
      throw DocumentError(
        cause:
          "it is a binary property list; convert it to XML with `plistutil -f xml -i FILE -o FILE.xml` "
          + "or `plutil -convert xml1 FILE`")
    }
    let root = try XMLReader.root(of: bytes)
    guard root.name == "plist", root.children.count == 1 else {
      throw DocumentError(cause: "it is not a property list")
    }
    self = try PropertyList(root.children[0])
  }

  package subscript(name: String) -> PropertyList? { dictionary?[name] }

  package var dictionary: [String: PropertyList]? {
    if case .dictionary(let members) = self { return members }
    return nil
  }

  package var array: [PropertyList]? {
    if case .array(let values) = self { return values }
    return nil
  }

  package var string: String? {
    if case .string(let text) = self { return text }
    return nil
  }

  /// A Boolean, also as the text that Info.plist files often have.
  package var boolean: Bool? {
    switch self {
    case .boolean(let value): value
    case .string("YES"), .string("true"): true
    case .string("NO"), .string("false"): false
    default: nil
    }
  }

  private init(_ element: XMLElement) throws(DocumentError) {
    switch element.name {
    case "true": self = .boolean(true)
    case "false": self = .boolean(false)
    case "string": self = .string(element.text)
    case "integer": self = Int64(element.text).map { .integer($0) } ?? .other(element.name)
    case "array":
      self = .array(
        try element.children.map { (child) throws(DocumentError) in try PropertyList(child) })
    case "dict": self = .dictionary(try Self.members(element))
    default: self = .other(element.name)
    }
  }

  private static func members(_ element: XMLElement) throws(DocumentError) -> [String: PropertyList]
  {
    var members: [String: PropertyList] = [:]
    guard element.children.count.isMultiple(of: 2) else {
      throw DocumentError(cause: "line \(element.line): a key or a value is missing")
    }
    for index in stride(from: 0, to: element.children.count, by: 2) {
      let key = element.children[index]
      guard key.name == "key" else {
        throw DocumentError(cause: "line \(key.line): '\(key.name)' is in the place of a key")
      }
      guard members[key.text] == nil else {
        throw DocumentError(cause: "line \(key.line): the key '\(key.text)' appears twice")
      }
      members[key.text] = try PropertyList(element.children[index + 1])
    }
    return members
  }

  /// The document as Xcode writes it, with sorted keys.
  package var document: String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
    "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    \(lines(indent: "").joined(separator: "\n"))
    </plist>

    """
  }

  private func lines(indent: String) -> [String] {
    switch self {
    case .boolean(let value): return ["\(indent)<\(value)/>"]
    case .integer(let number): return ["\(indent)<integer>\(number)</integer>"]
    case .string(let text): return ["\(indent)<string>\(text.xmlEscaped)</string>"]
    case .other(let name): return ["\(indent)<\(name)/>"]
    case .array(let values):
      return ["\(indent)<array>"] + values.flatMap { $0.lines(indent: indent + "\t") }
        + ["\(indent)</array>"]
    case .dictionary(let members):
      let sorted = members.sorted { $0.key < $1.key }
      return ["\(indent)<dict>"]
        + sorted.flatMap {
          ["\(indent)\t<key>\($0.key.xmlEscaped)</key>"] + $0.value.lines(indent: indent + "\t")
        } + ["\(indent)</dict>"]
    }
  }
}

extension String {
  /// The text with references in place of the characters that mean something to XML or a terminal; control
  /// characters, which XML cannot carry, are removed.
  package var xmlEscaped: String {
    var escaped = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\t", "\n": escaped += "&#\(scalar.value);"
      case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value): break
      case "\u{FFFE}", "\u{FFFF}": break
      case _ where scalar.acts: escaped += "&#\(scalar.value);"
      default: escaped += String(scalar).escapedForMarkup()
      }
    }
    return escaped
  }
}
