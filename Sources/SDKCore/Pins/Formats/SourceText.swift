import Primitives

/// Finds calls with string literals in Kotlin or Java.
struct SourceText {
  private let characters: [Character]
  private var position = 0
  /// Whether a builder of pins was named: then calls count only from there to its `build()`.
  private let namesBuilder: Bool
  private var isInBuilder = false

  init(_ text: String) {
    characters = Array(text)
    namesBuilder = text.containsText(Self.builder)
  }

  private static let builder = "CertificatePinner.Builder"

  /// The string literals of the next call `add(…)` of a builder; `nil` at the end.
  ///
  /// In a text without a builder every call counts.
  ///
  /// - Throws: ``PinFormatError`` for a call whose arguments are not literals: its pins are unknown.
  mutating func nextAddition() throws(PinFormatError) -> [String]? {
    while position < characters.count {
      if skipComment() { continue }
      if characters[position] == "\"" {
        if isInBuilder || !namesBuilder { _ = try literal() } else { skipLiteral() }
        continue
      }
      // A quotation mark as a character begins no text.
      if starts(with: "'\"'") || starts(with: "'\\\"'") {
        position += starts(with: "'\"'") ? 3 : 4
        continue
      }
      guard isWordStart else {
        position += 1
        continue
      }
      if starts(with: Self.builder) { isInBuilder = true }
      if calls("build") { isInBuilder = false }
      guard isInBuilder || !namesBuilder, calls("add") else {
        position += 1
        continue
      }
      position += 3
      skipBlanks()
      position += 1
      return try arguments()
    }
    return nil
  }

  /// Whether no identifier continues here.
  private var isWordStart: Bool {
    guard position > 0 else { return true }
    let previous = characters[position - 1]
    return !(previous.isLetter || previous.isNumber || previous == "_")
  }

  /// Whether the text here is that name and a parenthesis.
  private func calls(_ name: String) -> Bool {
    guard starts(with: name) else { return false }
    var rest = self
    rest.position += name.count
    rest.skipBlanks()
    return rest.position < characters.count && characters[rest.position] == "("
  }

  /// Passes over a literal of another part of the file, of any form.
  private mutating func skipLiteral() {
    let quotes = starts(with: "\"\"\"") ? 3 : 1
    position += quotes
    let end = String(repeating: "\"", count: quotes)
    while position < characters.count, !starts(with: end) {
      if quotes == 1, characters[position].isNewline { return }
      position += quotes == 1 && characters[position] == "\\" ? 2 : 1
    }
    position = min(position + quotes, characters.count)
  }

  private mutating func arguments() throws(PinFormatError) -> [String] {
    var found: [String] = []
    while true {
      skipBlanks()
      guard position < characters.count else { throw PinFormatError(cause: "a ) is missing") }
      switch characters[position] {
      case "\"": found.append(try literal())
      case ",": position += 1
      case ")":
        position += 1
        return found
      default: throw PinFormatError(cause: "an argument of add is not a string literal")
      }
    }
  }

  private mutating func literal() throws(PinFormatError) -> String {
    guard !starts(with: "\"\"\"") else {
      throw PinFormatError(cause: "a raw string literal cannot be read")
    }
    position += 1
    var text = ""
    while position < characters.count {
      let character = characters[position]
      position += 1
      switch character {
      case "\"": return text
      case "\\": text.append(try escape())
      case "$": throw PinFormatError(cause: "a string literal contains an expression")
      case _ where character.isNewline:
        throw PinFormatError(cause: "a quotation mark is missing")
      default: text.append(character)
      }
    }
    throw PinFormatError(cause: "a quotation mark is missing")
  }

  /// The character of an escape sequence, after its backslash.
  private mutating func escape() throws(PinFormatError) -> Character {
    guard position < characters.count else {
      throw PinFormatError(cause: "a quotation mark is missing")
    }
    let name = characters[position]
    position += 1
    switch name {
    case "\"", "'", "\\", "$": return name
    case "n": return "\n"
    case "t": return "\t"
    case "r": return "\r"
    case "u":
      let digits = Array(String(characters[position...].prefix(4)).utf8)
      guard let bytes = Hex.decode(digits), bytes.count == 2,
        let scalar = Unicode.Scalar(UInt16(bytes[0]) << 8 | UInt16(bytes[1]))
      else { break }
      position += 4
      return Character(scalar)
    default: break
    }
    throw PinFormatError(cause: "a string literal has an escape sequence that cannot be read")
  }

  private mutating func skipBlanks() {
    while position < characters.count, characters[position].isWhitespace || skipComment() {
      if position < characters.count, characters[position].isWhitespace { position += 1 }
    }
  }

  /// Passes over one comment; whether there was one.
  private mutating func skipComment() -> Bool {
    if starts(with: "//") {
      while position < characters.count, !characters[position].isNewline { position += 1 }
      return true
    }
    guard starts(with: "/*") else { return false }
    position += 2
    while position < characters.count, !starts(with: "*/") { position += 1 }
    position = min(position + 2, characters.count)
    return true
  }

  private func starts(with text: String) -> Bool {
    characters[position...].starts(with: text)
  }
}
