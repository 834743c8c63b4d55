import Primitives
import Testing

@testable import PropertyLists

@Suite("A property list")
struct PropertyListTests {
  private static func nested(_ levels: Int) -> String {
    String(repeating: "<array>", count: levels) + String(repeating: "</array>", count: levels)
  }

  @Test(
    "is refused if it is not one, with the line of what is wrong",
    arguments: [
      ("<list><dict/></list>", "it is not a property list"),
      ("<plist/>", "it is not a property list"),
      ("<plist><dict/><dict/></plist>", "it is not a property list"),
      ("<plist>\n<dict><key>a</key></dict></plist>", "line 2: a key or a value is missing"),
      (
        "<plist><dict>\n<string>a</string><true/></dict></plist>",
        "line 2: 'string' is in the place of a key"
      ),
      (
        "<plist><dict><key>a</key><true/>\n<key>a</key><false/></dict></plist>",
        "line 2: the key 'a' appears twice"
      ),
      ("<plist>\(nested(64))</plist>", "line 1: it has too many elements or levels"),
      (
        "<plist><array>\(String(repeating: "<a/>", count: 99_999))</array></plist>",
        "line 1: it has too many elements or levels"
      ),
    ])
  func refused(text: String, cause: String) {
    #expect(throws: DocumentError(cause: cause)) { try PropertyList(Array(text.utf8)) }
  }

  @Test("is refused if it is binary, with what converts it")
  func binary() {
    let error = #expect(throws: DocumentError.self) { try PropertyList(Array("bplist00".utf8)) }
    #expect(error?.cause.contains("plutil -convert xml1") == true)
  }

  @Test("has 64 levels and 100,000 elements")
  func limits() throws {
    _ = try PropertyList(Array("<plist>\(Self.nested(63))</plist>".utf8))
    let many = String(repeating: "<true/>", count: 99_998)
    let list = try PropertyList(Array("<plist><array>\(many)</array></plist>".utf8))
    #expect(list.array?.count == 99_998)
  }

  @Test("of more than 16 MiB is not read")
  func size() throws {
    let document = Array("<plist><true/></plist>".utf8)
    let spaces = [UInt8](repeating: 0x20, count: 16 << 20)
    #expect(try PropertyList(document + spaces.dropLast(document.count)) == .boolean(true))
    #expect(throws: DocumentError(cause: "the document is too large")) {
      try PropertyList(document + spaces)
    }
  }

  @Test("is refused for the first cause, whatever comes after it")
  func stopped() {
    let builder = XMLBuilder(line: { 3 }, stop: {})
    builder.add("before")
    builder.refuse("it is wrong")
    builder.add("after")
    builder.end()
    builder.refuse("it is wrong again")
    #expect(builder.fault == "line 3: it is wrong")
  }
}
