import Glibc

/// Whole lines that were read together.
package struct LineBlock: Sendable {
  package let bytes: [UInt8]
  /// The number of the first line, from 1.
  package let firstLine: Int
  /// Whether this stands for one line that is too long, of which `bytes` is the beginning.
  package let isTooLong: Bool

  /// Calls the body with each line, without its end, and with its number.
  package func forEachLine(_ body: (UnsafeBufferPointer<UInt8>, Int) -> Void) {
    bytes.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return }
      var start = 0
      var number = firstLine
      while start < bytes.count {
        let rest = bytes.count - start
        let end = memchr(base + start, 0x0A, rest).map { UnsafeRawPointer($0) }
        let stop = end.map { $0 - UnsafeRawPointer(base) } ?? bytes.count
        body(UnsafeBufferPointer(start: base + start, count: stop - start), number)
        number += 1
        start = stop + 1
      }
    }
  }
}

/// Reads a file or standard input in blocks of whole lines, with a limit for each line.
///
/// A line ends at `\n`. Memory depends on the limit, not on the input. What is there is returned
/// without waiting for more.
package struct LineBlocks: ~Copyable {
  private let file: OperandFile
  private let limit: Int
  private let size: Int
  private var pending: [UInt8] = []
  private var line = 1
  private var isAtEnd = false

  /// Opens a file, or that input for `-`.
  package init(
    operand: String, _ input: Input = .standard, limit: Int, size: Int = 1 << 17
  ) throws(SystemError) {
    self.limit = limit
    self.size = size
    file = try OperandFile(operand, input)
  }

  /// All that follows, as one block.
  ///
  /// - Throws: ``SystemError`` of the kind `tooLarge` if it is longer than a line may be.
  package mutating func rest() throws(SystemError) -> [UInt8] {
    let start = pending
    pending = []
    isAtEnd = true
    guard start.count <= limit else { throw SystemError.tooLong(file.path, limit) }
    return start
      + (try FileReader.readAll(file.number, path: file.path, limit: limit - start.count))
  }

  /// The next lines; `nil` at the end.
  package mutating func next() throws(SystemError) -> LineBlock? {
    var end: Int?
    while !isAtEnd {
      let start = pending.count
      // The block is read into the memory that it keeps.
      pending = try FileReader.readSome(
        file.number, path: file.path, count: size, after: pending)
      isAtEnd = pending.count == start
      end = pending[start...].lastIndex(of: 0x0A).map { $0 + 1 } ?? end
      if end == nil, pending.count > limit { return try skippedLine() }
      if end != nil, pending.count >= size { break }
      if end != nil, try !isReadable() { break }
    }
    guard !pending.isEmpty else { return nil }
    var bytes = pending
    let count = isAtEnd ? bytes.count : end ?? bytes.count
    pending = Array(bytes[count...])
    bytes.removeLast(bytes.count - count)
    let block = LineBlock(bytes: bytes, firstLine: line, isTooLong: false)
    block.forEachLine { _, _ in line += 1 }
    return block
  }

  /// Reads up to the end of a line that is too long.
  private mutating func skippedLine() throws(SystemError) -> LineBlock {
    let block = LineBlock(bytes: Array(pending.prefix(64)), firstLine: line, isTooLong: true)
    var skipped = pending.count
    pending = []
    line += 1
    while !isAtEnd {
      // An endless line is not waited for.
      guard skipped <= 16 * limit else { throw SystemError.tooLong(file.path, limit) }
      let part = try FileReader.readSome(file.number, path: file.path, count: size)
      skipped += part.count
      isAtEnd = part.isEmpty
      guard let end = part.firstIndex(of: 0x0A) else { continue }
      pending = Array(part[(end + 1)...])
      break
    }
    return block
  }

  /// Whether ``next()`` returns without waiting for a writer.
  package func isReadable() throws(SystemError) -> Bool {
    if isAtEnd { return true }
    var entries = [Poll.Entry(file.number, .read)]
    return try Poll.wait(&entries, timeout: .zero) > 0
  }
}
