/// The lines on which the members of a document begin.
public struct JSONLines: Sendable {
  private var lines: [String: Int] = [:]

  /// Finds the members of a document that has been parsed, those of arrays excepted.
  public init(of bytes: [UInt8]) {
    var walk = Walk(parser: JSONParser(bytes: bytes, maximumDepth: 0))
    walk.value([])
    lines = walk.lines
  }

  /// The line of a member, from 1, by its names joined with dots; `nil` if the document does not have it.
  public subscript(path: String) -> Int? { lines[path] }
}

/// A walk over valid JSON; what is not valid ends it.
private struct Walk {
  var parser: JSONParser
  var lines: [String: Int] = [:]
  private var line = 1

  init(parser: JSONParser) { self.parser = parser }

  /// Passes one value; `path` are the names that lead to it, `nil` inside an array.
  mutating func value(_ path: [String]?) {
    skipSpace()
    switch parser.current {
    case UInt8(ascii: "{"): list(closing: UInt8(ascii: "}")) { $0.member(path) }
    case UInt8(ascii: "["): list(closing: UInt8(ascii: "]")) { $0.value(nil) }
    case UInt8(ascii: "\""): _ = try? parser.string()
    default:
      while let byte = parser.current, ![0x2C, 0x7D, 0x5D].contains(byte), byte > 0x20 {
        parser.position += 1
      }
    }
    skipSpace()
  }

  private mutating func list(closing end: UInt8, _ element: (inout Walk) -> Void) {
    parser.position += 1
    skipSpace()
    while let byte = parser.current, byte != end {
      element(&self)
      guard parser.current == UInt8(ascii: ",") else { break }
      parser.position += 1
      skipSpace()
    }
    parser.position += 1
  }

  private mutating func member(_ path: [String]?) {
    guard let name = try? parser.string() else { return }
    let inner = path.map { $0 + [name] }
    if let inner { lines[inner.joined(separator: ".")] = line }
    skipSpace()
    if parser.current == UInt8(ascii: ":") { parser.position += 1 }
    value(inner)
  }

  private mutating func skipSpace() {
    while let byte = parser.current, byte <= 0x20 {
      if byte == 0x0A { line += 1 }
      parser.position += 1
    }
  }
}
