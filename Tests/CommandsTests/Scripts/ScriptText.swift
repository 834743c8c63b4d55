/// How text stands in scripts: a mark before each line, and control characters as pictures of them.
enum ScriptText {
  /// The lines of a text behind a mark, and `\` if the last one does not end.
  static func lines(_ mark: String, _ text: String) -> [String] {
    if text.isEmpty { return [] }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(visible)
    let isEnded = lines.last == ""
    if isEnded { lines.removeLast() }
    return lines.map { $0.isEmpty ? mark : "\(mark) \($0)" } + (isEnded ? [] : ["\\"])
  }

  /// The text of such lines.
  static func text(of lines: [String]) -> String {
    let isEnded = lines.last != "\\"
    let texts = (isEnded ? lines[...] : lines.dropLast()).map { $0.dropFirst(2) }
    return texts.joined(separator: "\n") + (isEnded && !texts.isEmpty ? "\n" : "")
  }

  /// Tabs and other control characters as their pictures (U+2400 and on).
  static func visible(_ text: some StringProtocol) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let picture = scalar.value < 0x20 ? 0x2400 + scalar.value : scalar.value
      result.append(Unicode.Scalar(picture) ?? scalar)
    }
    return String(result)
  }

  /// The opposite.
  static func hidden(_ text: some StringProtocol) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isPicture = (0x2400..<0x2420).contains(scalar.value)
      result.append(isPicture ? Unicode.Scalar(UInt8(scalar.value - 0x2400)) : scalar)
    }
    return String(result)
  }
}
