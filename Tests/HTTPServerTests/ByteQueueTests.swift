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
      bytes.withUnsafeBytes { queue.append($0) }
      var buffer = [UInt8](repeating: 0, count: round % 7 + 1)
      let count = buffer.withUnsafeMutableBytes { queue.take(into: $0) }
      taken += buffer.prefix(count)
    }
    taken += queue.withUnsafeBytes { Array($0) }
    #expect(taken.count == 1275)
    #expect(taken == (1...1275).map { UInt8(truncatingIfNeeded: $0) })
  }
}
