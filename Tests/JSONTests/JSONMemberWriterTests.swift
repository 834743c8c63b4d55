import JSON
import Testing

@Suite("A writer of JSON, member by member")
struct JSONMemberWriterTests {
  private func text(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    writer.writeObject(body)
    writer.endLine()
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test("writes whole numbers", arguments: [0, 9, 10, 1234567890, -1, Int.max, Int.min])
  func numbers(number: Int) {
    #expect(text { $0.write("n", number: number) } == "{\"n\":\(number)}\n")
  }

  @Test(
    "writes seconds to the microsecond, never fewer than zero",
    arguments: [
      (Duration.zero, "0.000000"), (.microseconds(1), "0.000001"), (.nanoseconds(1999), "0.000001"),
      (.milliseconds(1500), "1.500000"), (.seconds(86400), "86400.000000"),
      (.seconds(-1), "0.000000"),
    ])
  func seconds(duration: Duration, written: String) {
    #expect(text { $0.write("s", seconds: duration) } == "{\"s\":\(written)}\n")
  }

  @Test("writes members, arrays of texts and nested objects, and leaves out what is nil")
  func members() throws {
    let written = text { writer in
      writer.write("a", text: nil)
      writer.write("b", nil)
      writer.write("c", text: "x\"y")
      writer.writeArray("d\n") {
        $0.writeElement("1"); $0.writeElement("\\")
      }
      writer.writeArray("e") { _ in }
      writer.writeName("f")
      writer.writeObject { $0.write("g", ["h": 1]) }
      writer.write("i", number: 2)
    }
    #expect(written == #"{"c":"x\"y","d\n":["1","\\"],"e":[],"f":{"g":{"h":1}},"i":2}"# + "\n")
  }

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
