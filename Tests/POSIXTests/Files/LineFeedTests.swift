import TestSupport
import Testing

@testable import POSIX

@Suite struct LineFeedTests {
  @Test(
    arguments: [
      ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\r\nb\n\nc", ["a", "b", "", "c"]),
      ("a\rb\r\n\r\nc\r", ["a", "b", "", "c"]),
    ] as [(String, [String])])
  func aFileIsReadLineByLine(text: String, expected: [String]) async throws {
    let folder = try TemporaryFolder()
    let feed = try LineFeed(operand: try folder.write(text, to: "file"), limit: 5)
    var lines: [String] = []
    while case let next = try await feed.next(2), !next.isEmpty {
      #expect(next.count <= 2)
      lines += next.map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(lines == expected)
  }

  @Test func aLineAcrossManyReadsIsWholeAndALongerOneIsRefused() async throws {
    let folder = try TemporaryFolder()
    let long = String(repeating: "x", count: 200_000)
    let path = try folder.write(long + "\n" + long + "x", to: "file")
    let feed = try LineFeed(operand: path, limit: 200_000)
    #expect(try await feed.next(9).map(\.count) == [200_000])
    do {
      _ = try await feed.next(9)
      Issue.record("a line of 200,001 bytes")
    } catch {
      #expect(error.kind == .tooLarge)
    }
  }

  @Test func theLinesBeforeOneThatIsTooLongAreReturned() async throws {
    let folder = try TemporaryFolder()
    let feed = try LineFeed(operand: try folder.write("a\nb\ntoo long\n", to: "file"), limit: 5)
    #expect(try await feed.next(9) == [Array("a".utf8), Array("b".utf8)])
    do {
      _ = try await feed.next(9)
      Issue.record("a line of 8 bytes")
    } catch {
      #expect(error.kind == .tooLarge)
    }
  }

  @Test func aTaskThatIsCancelledStopsWaitingForALine() async throws {
    let pipe = try WakePipe()
    let feed = try LineFeed(operand: "-", Input(descriptor: pipe.descriptor), limit: 5)
    let reader = Task { try await feed.next(9) }
    await Task.yield()
    reader.cancel()
    #expect(try await reader.value == [])
  }
}
