import Primitives
import Testing

@testable import SDKCore

@Suite("ZIP archives")
struct ZIPArchiveTests {
  /// A file whose content is stored as it is, without its checksum.
  struct Entry: Sendable {
    var name = "a"
    var mode: UInt32 = 0o100644
    var flags: UInt16 = 0
    var method: UInt16 = 0
    var content: [UInt8] = []
  }

  @Test(
    "are refused as a whole if a file is more than a configuration needs",
    arguments: [
      (many(257), "it has more than 256 files"), ([Entry(), Entry()], "'a' appears twice"),
      ([Entry(mode: 0o120777, content: [0x78])], "'a' is not a regular file"),
      ([Entry(flags: 1)], "it is encrypted"),
      (
        [Entry(content: Array(repeating: 0, count: 5 << 20))],
        "its content is larger than a configuration can be"
      ),
    ]
      + ["../x", "a/../x", "a//b", "/a", "./a", "a/b\\c", "a\tb", "é", long(256)].map {
        ([Entry(name: $0)], "it has a file whose name leads elsewhere, or is not ASCII")
      })
  func refused(entries: [Entry], cause: String) {
    let error = #expect(throws: DocumentError.self) {
      try ZIPArchive.files(in: Self.archive(entries))
    }
    #expect(error?.cause == cause)
  }

  @Test("have 256 files, and names of 255 characters; directories are no files")
  func accepted() throws {
    let names = (0..<254).map { "\($0)" } + [Self.long(255)]
    let entries = [Entry(name: "d/", mode: 0o040755)] + names.map { Entry(name: $0) }
    let files = try ZIPArchive.files(in: Self.archive(entries))
    #expect(Set(files.keys) == Set(names))
    #expect(try ZIPArchive.files(in: Self.archive(Self.many(256))).count == 256)
  }

  @Test("are refused if a file in them cannot be decompressed")
  func damaged() {
    let entry = Entry(method: 8, content: [0xFF, 0xFF, 0xFF, 0xFF])
    let error = #expect(throws: DocumentError.self) {
      try ZIPArchive.files(in: Self.archive([entry]))
    }
    #expect(error?.cause.hasPrefix("the archive cannot be read: ") == true)
  }

  @Test("are refused if their content is more than 200 times as large as they are")
  func ratio() throws {
    // 100,000 zeros.
    let text =
      "UEsDBBQAAAAIAAAAIQB9lRHUcgAAAKCGAQABAAAAYe3BMQEAAADCoPVPbQ0PoA"
      + String(repeating: "A", count: 127)
      + "IBXA1BLAQIUAxQAAAAIAAAAIQB9lRHUcgAAAKCGAQABAAAAAAAAAAAAAACAAQAAAABhUEsFBgAAAAABAAEALwAAAJEAAAAAAA=="
    let bytes = try #require(Base64.decode(text.utf8))
    let error = #expect(throws: DocumentError.self) { try ZIPArchive.files(in: bytes) }
    #expect(error?.cause == "its content is larger than a configuration can be")
  }

  private static func many(_ count: Int) -> [Entry] { (0..<count).map { Entry(name: "\($0)") } }

  private static func long(_ count: Int) -> String { String(repeating: "x", count: count) }

  /// An archive by APPNOTE 4.3.
  private static func archive(_ entries: [Entry]) -> [UInt8] {
    var (bytes, directory): ([UInt8], [UInt8]) = ([], [])
    for entry in entries {
      let (name, size) = (Array(entry.name.utf8), UInt32(entry.content.count))
      let common =
        [20, 0] + little(entry.flags) + little(entry.method) + [0, 0, 0x21, 0] + little(UInt32(0))
        + little(size)
        + little(size) + little(UInt16(name.count)) + [0, 0]
      directory += [0x50, 0x4B, 1, 2, 20, 3] + common + [UInt8](repeating: 0, count: 6)
      directory += little(entry.mode << 16) + little(UInt32(bytes.count)) + name
      bytes += [0x50, 0x4B, 3, 4] + common + name + entry.content
    }
    let count = little(UInt16(entries.count))
    let end = little(UInt32(directory.count)) + little(UInt32(bytes.count)) + [0, 0]
    return bytes + directory + [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + count + count + end
  }

  private static func little(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }
}
