import TestSupport
import Testing

@testable import POSIX

@Suite struct LineFeedTests {
  @Test(
    arguments: [
      ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\r\nb\n\nc", ["a", "", "b", "", "c"]),
    ] as [(String, [String])])
  func aFileIsReadLineByLine(text: String, expected: [String]) async throws {
    let folder = try TemporaryFolder()
    let feed = try LineFeed(operand: try folder.write(text, to: "file"), limit: 5)
    var lines: [String] = []
    while let line = try await feed.next() { lines.append(String(decoding: line, as: UTF8.self)) }
    #expect(lines == expected)
  }

  @Test func aLineAcrossManyReadsIsWholeAndALongerOneIsRefused() async throws {
    let folder = try TemporaryFolder()
    let long = String(repeating: "x", count: 200_000)
    let path = try folder.write(long + "\n" + long + "x", to: "file")
    let feed = try LineFeed(operand: path, limit: 200_000)
    #expect(try await feed.next()?.count == 200_000)
    do {
      _ = try await feed.next()
      Issue.record("a line of 200,001 bytes")
    } catch {
      #expect(error.kind == .tooLarge)
    }
  }

  @Test func aTaskThatIsCancelledStopsWaitingForALine() async throws {
    let pipe = try WakePipe()
    let feed = try LineFeed(operand: "-", Input(descriptor: pipe.descriptor), limit: 5)
    let reader = Task { try await feed.next() }
    await Task.yield()
    reader.cancel()
    #expect(try await reader.value == nil)
  }
}
