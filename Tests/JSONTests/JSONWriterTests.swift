import JSON
import Testing

@Suite("A writer of JSON")
struct JSONWriterTests {
  @Test("escapes a character wherever it stands among plain ones", arguments: 0..<20)
  func everyOffset(offset: Int) throws {
    let plain = String(repeating: "~ ", count: 10)
    for scalar in (0...0x9F).compactMap(Unicode.Scalar.init) + ["\u{202E}", "é", "\u{1F600}"] {
      let position = plain.index(plain.startIndex, offsetBy: offset)
      let string = plain[..<position] + String(scalar) + plain[position...]
      let written = JSON.string(String(string)).serialized()
      #expect(try JSON(parsing: written).string == String(string))
      let isPlain = ("\u{20}"..."\u{7E}").contains(scalar) && scalar != "\"" && scalar != "\\"
      let isKept = isPlain || scalar == "é" || scalar == "\u{1F600}"
      #expect(written.unicodeScalars.contains(scalar) == isKept || scalar == "\"" || scalar == "\\")
      #expect(isKept == (written.utf8.count == string.utf8.count + 2))
    }
  }
}
