import TestSupport

@testable import POSIX

@Suite struct LineFeedTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(
    arguments: [
      ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\r\nb\n\nc", ["a", "b", "", "c"]),
      ("a\rb\r\n\r\nc\r", ["a", "b", "", "c"]),
    ] as [(String, [String])])
  func aFileIsReadLineByLine(text: String, expected: [String]) async throws {
    let feed = try LineFeed(operand: try folder.write(text, to: "file"), limit: 5)
    var lines: [String] = []
    while case let next = try await feed.next(2), !next.isEmpty {
      #expect(next.count <= 2)
      lines += next.map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(lines == expected)
  }

  @Test func aLineAcrossManyReadsIsWholeAndALongerOneIsRefused() async throws {
    let long = String(repeating: "x", count: 200_000)
    let path = try folder.write(long + "\n" + long + "x", to: "file")
    let feed = try LineFeed(operand: path, limit: 200_000)
    #expect(try await feed.next(9).map(\.count) == [200_000])
    let error = await failure { () async throws(SystemError) in _ = try await feed.next(9) }
    #expect(error?.kind == .tooLarge)
  }

  @Test func theLinesBeforeOneThatIsTooLongAreReturned() async throws {
    let feed = try LineFeed(operand: try folder.write("a\nb\ntoo long\n", to: "file"), limit: 5)
    #expect(try await feed.next(9) == [Array("a".utf8), Array("b".utf8)])
    let error = await failure { () async throws(SystemError) in _ = try await feed.next(9) }
    #expect(error?.kind == .tooLarge)
  }

  @Test func aTaskThatIsCancelledStopsWaitingForALine() async throws {
    let pipe = try WakePipe()
    let feed = try LineFeed(operand: "-", Input(descriptor: pipe.descriptor), limit: 5)
    let reader = Task { try await feed.next(9) }
    await Task.yield()
    reader.cancel()
    #expect(try await reader.value == [])
  }

  @Test(
    arguments: [
      ("a\n123456\nb\n", ["a", "123456", "b"]), ("123456789\n", ["123456"]),
      ("123456789\n\n", ["123456", ""]), ("12345\n1234567", ["12345", "123456"]),
    ])
  func aLongLineIsCutIfThatIsAsked(text: String, expected: [String]) throws {
    var reader = try LineReader(
      operand: try folder.write(text, to: "file"), limit: 5, cutsLongLines: true)
    var lines: [String] = []
    while case let next = try reader.next(), !next.isEmpty {
      lines += next.map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(lines == expected)
  }

  @Test func anEndlessLineIsNotWaitedFor() throws {
    var reader = try LineReader(operand: "/dev/zero", limit: 100_000, cutsLongLines: true)
    let error = failure(of: try reader.next())
    #expect(error?.kind == .tooLarge)
    #expect(error?.message == "a line is longer than 100000 bytes")
  }

  @Test func allThatFollowsIsOneTextUpToTheLimit() throws {
    let path = try folder.write("a\nbc\nd", to: "file")
    var reader = try LineReader(operand: path, limit: 7)
    #expect(try reader.text(from: try reader.next()) == Array("a\nbc\nd\n".utf8))
    #expect(try reader.next() == [])
    var short = try LineReader(operand: path, limit: 6)
    #expect(throws: SystemError.self) { try short.text(from: try short.next()) }
  }
}
