import TestSupport
import Testing

@testable import POSIX

@Suite("Blocks of lines")
struct LineBlocksTests {
  /// The lines of all blocks, with their numbers; `…` before one that is too long.
  private static func lines(_ text: String, limit: Int, size: Int) throws -> [String] {
    let folder = try TemporaryFolder()
    var blocks = try LineBlocks(
      operand: try folder.write(text, to: "file"), limit: limit, size: size)
    var lines: [String] = []
    while let block = try blocks.next() {
      if block.isTooLong {
        lines.append("\(block.firstLine)…")
      } else {
        block.forEachLine { bytes, number in
          lines.append("\(number)\(String(decoding: bytes, as: UTF8.self))")
        }
      }
    }
    return lines
  }

  @Test(
    "have the lines of a file with their numbers, whatever is read at a time",
    arguments: [1, 2, 3, 7, 1 << 16],
    [
      ("", []), ("a", ["1a"]), ("a\n", ["1a"]), ("\n", ["1"]), ("\n\na", ["1", "2", "3a"]),
      ("a\r\nb", ["1a\r", "2b"]), ("12345\n67890\n", ["112345", "267890"]),
    ] as [(String, [String])])
  func numbered(size: Int, row: (String, [String])) throws {
    #expect(try Self.lines(row.0, limit: 5, size: size) == row.1)
  }

  @Test(
    "have the number of a line that is longer than the limit, and go on after it",
    arguments: [
      ("a\n123456\nb\n", ["1a", "2…", "3b"]), ("123456789\n", ["1…"]), ("123456\n\n", ["1…", "2"]),
      ("a\n1234567", ["1a", "2…"]),
    ])
  func tooLong(text: String, lines: [String]) throws {
    #expect(try Self.lines(text, limit: 5, size: 1) == lines)
  }

  @Test("have a line that many reads return in parts as one")
  func long() throws {
    let long = String(repeating: "x", count: 200_000)
    let lines = try Self.lines(long + "\n" + long, limit: 200_000, size: 4096)
    #expect(lines.map(\.utf8.count) == [200_001, 200_001])
  }

  @Test("do not wait for the end of an endless line")
  func endless() throws {
    var blocks = try LineBlocks(operand: "/dev/zero", limit: 100_000)
    do {
      while try blocks.next() != nil {}
      Issue.record("a line of /dev/zero")
    } catch {
      #expect(error.kind == .tooLarge)
      #expect(error.message == "a line is longer than 100000 bytes")
    }
  }

  @Test("return all that follows in one piece, up to the limit")
  func rest() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a\nbc\nd", to: "file")
    var blocks = try LineBlocks(operand: path, limit: 5, size: 2)
    #expect(try blocks.next()?.bytes == Array("a\n".utf8))
    #expect(try blocks.rest() == Array("bc\nd".utf8))
    #expect(try blocks.next()?.bytes == nil)
    var short = try LineBlocks(operand: path, limit: 4)
    #expect(throws: SystemError.self) { try short.rest() }
  }

  @Test("say that no file has that name")
  func missing() {
    do {
      _ = try LineBlocks(operand: "/none", limit: 5)
      Issue.record("a file /none")
    } catch {
      #expect(error.isNotFound)
    }
  }
}
