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

  /// The bytes of objects, and what each of them makes wrong.
  @Test(
    "is refused if a number in it leads out of the document",
    arguments: [
      // Counts of elements: UTF-16, a dictionary, an array, and one that is larger than the rest.
      [0x6F, 0x13, 0x7F] + ones, [0xDF, 0x13, 0x7F] + ones, [0xAF, 0x13, 0x7F] + ones,
      [0x5F, 0x13, 0x7F] + ones, [0x5F, 0x10, 0xC8], [0x6F, 0x10, 0x20],
      // A negative count, and one without its number.
      [0x5F, 0x13, 0xFF] + ones, [0x5F, 0x09], [0xA1, 0xFF], [0xD1, 0x00],
    ] as [[UInt8]])
  func outside(object: [UInt8]) {
    #expect(throws: Self.malformed) { try PropertyList(Self.document(object)) }
  }

  @Test("is refused if its last byte begins a number, and if it is of another version")
  func edges() throws {
    // The last byte of the trailer is the offset of the table, and the root begins at it.
    var bytes = Array("bplist00".utf8) + [UInt8](repeating: 0, count: 0x5F - 8) + [127]
    bytes += [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 8)
    #expect(throws: Self.malformed) {
      try PropertyList(bytes + [0, 0, 0, 0, 0, 0, 0, 0x5F])
    }
    var document = Self.document([0x09])
    #expect(try PropertyList(document) == .boolean(true))
    document[7] = UInt8(ascii: "1")
    #expect(throws: Self.malformed) { try PropertyList(document) }
  }

  @Test("is refused if the place of an object is no number")
  func overflow() {
    for (index, size) in [(1, 8), (Int.max, 8)] {
      var trailer: [UInt8] = [0, 0, 0, 0, 0, 0, UInt8(size), 1]
      for number in [Int.max, index, Int.max] {
        trailer += withUnsafeBytes(of: number.bigEndian) { Array($0) }
      }
      let bytes = Array("bplist00".utf8) + [UInt8](repeating: 9, count: 32) + trailer
      #expect(throws: Self.malformed) { try PropertyList(bytes) }
    }
  }

  @Test("is refused if a key of a dictionary appears twice")
  func twice() {
    // A dictionary of two members, which have the second object as their key.
    let bytes = Self.document([0xD2, 1, 1, 1, 1], [0x51, 0x61])
    #expect(throws: DocumentError(cause: "the key 'a' appears twice")) { try PropertyList(bytes) }
  }

  private static let ones = [UInt8](repeating: 0xFF, count: 7)
  private static let malformed = DocumentError(cause: "the binary property list is malformed")

  /// A document of these objects, of which the first is the root.
  private static func document(_ objects: [UInt8]...) -> [UInt8] {
    var (bytes, offsets) = (Array("bplist00".utf8), [UInt8]())
    for object in objects {
      offsets.append(UInt8(bytes.count))
      bytes += object
    }
    let table = UInt8(bytes.count)
    bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
    bytes += [0, 0, 0, 0, 0, 0, 0, UInt8(objects.count)] + [UInt8](repeating: 0, count: 8)
    return bytes + [0, 0, 0, 0, 0, 0, 0, table]
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
