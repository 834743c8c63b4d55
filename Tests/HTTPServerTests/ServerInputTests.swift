import Testing

@testable import HTTPServer

@Suite struct ServerInputTests {
  private let limit = ServerExchange.limit

  private func input(_ count: Int) -> ServerExchange.Input {
    var input = ServerExchange.Input()
    // Pieces as they come from a connection.
    for start in stride(from: 0, to: count, by: 32 << 10) {
      let piece = (start..<min(count, start + 32 << 10)).map { UInt8(truncatingIfNeeded: $0) }
      piece.withUnsafeBytes { input.append($0) }
    }
    return input
  }

  private func read(_ input: inout ServerExchange.Input, _ count: Int) -> Int? {
    var buffer = [UInt8](repeating: 0, count: count)
    return buffer.withUnsafeMutableBytes { input.read(into: $0) }
  }

  /// Reads exactly that many bytes.
  private func skip(_ input: inout ServerExchange.Input, _ count: Int) {
    var left = count
    while left > 0, let taken = read(&input, min(left, 4096)), taken > 0 { left -= taken }
    #expect(left == 0)
  }

  @Test func aBodyIsStreamedIfItIsLongerThanWhatIsKept() {
    #expect(!input(limit).isStreamed)
    #expect(input(limit + 1).isStreamed)
  }

  @Test func aStreamIsRepeatableUntilMoreThanItsBeginningIsRead() {
    // The piece that exceeds the limit is kept too.
    let kept = limit + (32 << 10)
    var input = input(kept + (32 << 10))
    skip(&input, 1000)
    let isRewound = input.rewind()
    #expect(isRewound)
    skip(&input, kept)
    let isPromised = input.promiseRewind()
    #expect(isPromised)
    // The promise holds: nothing more is read before it is kept.
    let more = read(&input, 10)
    #expect(more == nil)
    let isKept = input.rewind()
    #expect(isKept)
    skip(&input, kept + (32 << 10))
    let isPromisedLate = input.promiseRewind()
    #expect(!isPromisedLate)
    let isRewoundLate = input.rewind()
    #expect(!isRewoundLate)
  }

  @Test func theEndComesOnlyOnceTheBodyIsComplete() {
    var input = input(limit + (32 << 10))
    skip(&input, limit + (32 << 10))
    let waits = read(&input, 10)
    #expect(waits == nil)
    input.isComplete = true
    let end = read(&input, 10)
    #expect(end == 0)
  }

  @Test func noMoreIsTakenThanTheLimitBeyondTheBeginning() {
    #expect(!input(limit + (64 << 10)).isFull)
    #expect(input(3 * limit).isFull)
  }
}
