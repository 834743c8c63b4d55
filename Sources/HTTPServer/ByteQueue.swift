/// Bytes that are appended at one end and taken at the other.
struct ByteQueue {
  private var bytes: [UInt8] = []
  private var start = 0

  var count: Int { bytes.count - start }
  var isEmpty: Bool { count == 0 }

  mutating func append(_ more: UnsafeRawBufferPointer) {
    if start == bytes.count {
      bytes.removeAll(keepingCapacity: true)
      start = 0
    } else if start > bytes.count / 2 {
      bytes.removeSubrange(..<start)
      start = 0
    }
    bytes.append(contentsOf: more)
  }

  /// Moves the next bytes into a buffer; returns how many.
  mutating func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let taken = min(count, buffer.count)
    bytes.withUnsafeBytes { buffer.copyMemory(from: .init(rebasing: $0[start..<start + taken])) }
    start += taken
    return taken
  }

  mutating func removeAll() { (bytes, start) = ([], 0) }

  func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes { body(.init(rebasing: $0[start...])) }
  }
}
