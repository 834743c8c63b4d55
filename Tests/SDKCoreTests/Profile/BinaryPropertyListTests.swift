import Primitives
import Testing

@testable import SDKCore

@Suite("A binary property list")
struct BinaryPropertyListTests {
  /// What Python's plistlib writes of `{"b": True, "l": [1, -1, 300], "s": "a", "u": "ü😀"}`.
  private static let document =
    "YnBsaXN0MDDUAQIDBAUGCgtRYlFsUXNRdQmjBwgJEAET//////////8RASxRYWMA/Ng93gAIERMVFxkaHiAp"
    + "LC4AAAAAAAABAQAAAAAAAAAMAAAAAAAAAAAAAAAAAAAANQ=="

  @Test("is read as the XML form is")
  func reads() throws {
    let bytes = try #require(Base64.decode(Array(Self.document.utf8)))
    #expect(
      try PropertyList(bytes)
        == .dictionary([
          "b": .boolean(true), "l": .array([.integer(1), .integer(-1), .integer(300)]),
          "s": .string("a"), "u": .string("ü😀"),
        ]))
  }

  @Test("with a part cut off, or any byte changed, is read or refused, and nothing else")
  func damaged() throws {
    let bytes = try #require(Base64.decode(Array(Self.document.utf8)))
    for length in 0..<bytes.count {
      _ = try? PropertyList(Array("bplist00".utf8) + bytes[8...].prefix(length))
    }
    for position in 8..<bytes.count {
      for value in [0, 0x0F, 0x5F, 0xAF, 0xDF, 0xFF] as [UInt8] {
        var changed = bytes
        changed[position] = value
        _ = try? PropertyList(changed)
      }
    }
  }

  /// Each of 40 arrays refers twice to the next one.
  @Test("that refers to itself, or grows when it is read, is refused")
  func bomb() {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for index in 0..<40 as Range<UInt8> {
      offsets.append(UInt8(bytes.count))
      bytes += [0xA2, index + 1, index + 1]
    }
    offsets.append(UInt8(bytes.count))
    bytes.append(0x09)
    let table = UInt8(bytes.count)
    bytes += offsets
    bytes +=
      [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 41] + [UInt8](repeating: 0, count: 8)
    bytes += [0, 0, 0, 0, 0, 0, 0, table]
    #expect(throws: DocumentError(cause: "the binary property list is malformed")) {
      try PropertyList(bytes)
    }
    bytes[9] = 0
    #expect(throws: DocumentError.self) { try PropertyList(bytes) }
  }
}
