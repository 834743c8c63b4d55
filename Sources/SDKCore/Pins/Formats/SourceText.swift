/// Finds calls with string literals in Kotlin or Java.
struct SourceText {
  private let characters: [Character]
  private var position = 0

  init(_ text: String) { characters = Array(text) }

  /// The string literals of the next call `.add(…)`; `nil` at the end.
  ///
  /// - Throws: ``PinFormatError`` for a call whose arguments are not literals: its pins are unknown.
  mutating func nextAddition() throws(PinFormatError) -> [String]? {
    while position < characters.count {
      if skipComment() { continue }
      if characters[position] == "\"" {
        _ = try literal()
        continue
      }
      guard starts(with: ".add") else {
        position += 1
        continue
      }
      position += 4
      skipBlanks()
      if position < characters.count, characters[position] == "(" {
        position += 1
        return try arguments()
      }
    }
    return nil
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
      case "\\":
        guard position < characters.count else { break }
        text.append(characters[position])
        position += 1
      case "$": throw PinFormatError(cause: "a string literal contains an expression")
      case _ where character.isNewline:
        throw PinFormatError(cause: "a quotation mark is missing")
      default: text.append(character)
      }
    }
    throw PinFormatError(cause: "a quotation mark is missing")
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
