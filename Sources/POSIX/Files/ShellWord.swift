/// Text as one word of a shell, so that a hint can be pasted.
package enum ShellWord {
  package static func quoted(_ text: String) -> String {
    let plain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "/._-+:@%,=".utf8.contains(byte)
      }
    }
    // zsh replaces '=ls' by the path of the command ls.
    if plain, !text.isEmpty, !text.hasPrefix("=") { return text }
    // By scalars: to Swift a quote with a combining mark behind it is another character, to a
    // shell it is a quote.
    let pieces = text.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + pieces.map { String($0) }.joined(separator: "'\\''") + "'"
  }
}
