import TestSupport
import Testing

@testable import POSIX

@Suite struct LineReaderTests {
  @Test(
    arguments: [
      ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\r\nb\n\nc", ["a", "b", "", "c"]),
      ("a\rb\r\n\r\nc\r", ["a", "b", "", "c"]),
      ("\n", [""]), ("12345\n67890", ["12345", "67890"]),
    ] as [(String, [String])])
  func aFileIsReadLineByLine(text: String, expected: [String]) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(text, to: "file")
    var reader = try LineReader(operand: path, limit: 5)
    var lines: [String] = []
    while let line = try reader.next() { lines.append(String(decoding: line, as: UTF8.self)) }
    #expect(lines == expected)
  }

  @Test func aLineAcrossManyReadsIsWhole() throws {
    let folder = try TemporaryFolder()
    let long = String(repeating: "x", count: 200_000)
    let path = try folder.write(long + "\n" + long, to: "file")
    var reader = try LineReader(operand: path, limit: 200_000)
    for _ in 0..<2 { #expect(try reader.next()?.count == 200_000) }
    #expect(try reader.next() == nil)
  }

  @Test func aLineIsRefusedWhenItIsOneByteTooLong() throws {
    let folder = try TemporaryFolder()
    var reader = try LineReader(operand: try folder.write("12345\n123456\n", to: "file"), limit: 5)
    #expect(try reader.next()?.count == 5)
    do {
      _ = try reader.next()
      Issue.record("a line of six bytes")
    } catch {
      #expect(error.kind == .tooLarge)
    }
  }

  @Test func nothingIsReadBehindALineThatIsTooLong() throws {
    // It would never come to an end.
    var reader = try LineReader(operand: "/dev/zero", limit: 100_000)
    do {
      _ = try reader.next()
      Issue.record("a line of /dev/zero")
    } catch {
      #expect(error.kind == .tooLarge)
      #expect(error.message == "a line is longer than 100000 bytes")
    }
  }
}
