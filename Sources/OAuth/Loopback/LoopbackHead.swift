import Primitives

/// Request line and fields of one HTTP/1 request, as far as this listener needs them.
struct LoopbackHead {
  static let limit = 16_384

  enum ParseResult {
    case incomplete
    /// The head, and how many bytes it took.
    case complete(LoopbackHead, size: Int)
    case malformed
    case lineTooLong
    case fieldsTooLong
  }

  let method: String
  let path: String
  let query: String
  private let fields: [(name: String, value: String)]

  static func read(_ bytes: [UInt8]) -> ParseResult {
    let size = size(of: bytes)
    guard size ?? bytes.count <= limit else {
      let line = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      return line > limit ? .lineTooLong : .fieldsTooLong
    }
    guard let size else { return .incomplete }
    return LoopbackHead(bytes[..<(size - 4)]).map { .complete($0, size: size) } ?? .malformed
  }

  /// The value of a field that occurs exactly once.
  func only(_ name: String) -> String? {
    let found = fields.filter { $0.name == name }
    return found.count == 1 ? found.first?.value : nil
  }

  func has(_ name: String) -> Bool { fields.contains { $0.name == name } }

  private init?(_ bytes: ArraySlice<UInt8>) {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }[...]
    guard
      let first = lines.popFirst(), first.allSatisfy({ (0x20...0x7e).contains($0) })
    else { return nil }
    let words = String(decoding: first, as: UTF8.self)
      .split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard
      words.count == 3, !words[0].isEmpty, words[1].hasPrefix("/"),
      ["HTTP/1.1", "HTTP/1.0"].contains(words[2])
    else { return nil }
    let parts = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    method = words[0]
    path = parts.first.map(String.init) ?? ""
    query = parts.count == 2 ? String(parts[1]) : ""
    var fields: [(name: String, value: String)] = []
    for line in lines {
      guard let field = Self.field(line) else { return nil }
      fields.append(field)
    }
    self.fields = fields
  }

  private static func field(_ line: ArraySlice<UInt8>) -> (name: String, value: String)? {
    guard
      let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
      line[..<colon].allSatisfy({ (0x21...0x7e).contains($0) }),
      line[colon...].allSatisfy({ $0 >= 0x20 || $0 == 0x09 })
    else { return nil }
    let value = line[colon...].dropFirst().drop(while: \.isBlank)
    let end = value.lastIndex { !$0.isBlank }.map { $0 + 1 } ?? value.startIndex
    return (
      String(decoding: line[..<colon], as: UTF8.self).asciiLowercased,
      String(decoding: value[..<end], as: UTF8.self)
    )
  }

  private static func size(of bytes: [UInt8]) -> Int? {
    let end = Array("\r\n\r\n".utf8)
    var index = 3
    while index < bytes.count {
      if bytes[index] == end[3], bytes[(index - 3)...index].elementsEqual(end) { return index + 1 }
      index += 1
    }
    return nil
  }
}
