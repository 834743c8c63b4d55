import Testing

@testable import HTTPServer

@Suite struct ByteQueueTests {
  @Test func bytesLeaveInTheirOrder() {
    var queue = ByteQueue()
    var taken: [UInt8] = []
    var next: UInt8 = 0
    for round in 1...50 {
      let bytes = (0..<round).map { _ in
        next &+= 1
        return next
      }
      queue.append(bytes)
      var buffer = [UInt8](repeating: 0, count: round % 7 + 1)
      let count = buffer.withUnsafeMutableBytes { $0.fill(with: queue.take($0.count)) }
      taken += buffer.prefix(count)
    }
    taken += queue.take(.max).joined()
    #expect(taken == (1...1275).map { UInt8(truncatingIfNeeded: $0) })
    #expect(queue.isEmpty)
  }

  @Test func smallPiecesArePutTogetherAndLargeOnesAreNot() {
    var queue = ByteQueue()
    for piece in [3, 5, 16 << 10, 1, 16 << 10] { queue.append([UInt8](repeating: 7, count: piece)) }
    #expect(queue.take(4).map(\.count) == [4])
    queue.append([1])
    #expect(queue.take(.max).map(\.count) == [4, 16 << 10, 1, 16 << 10, 1])
  }
}
