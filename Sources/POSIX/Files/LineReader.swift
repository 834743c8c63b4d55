/// Reads a file or standard input in groups of lines, with a limit for each line.
///
/// A line ends at `\n`, `\r` or both. Memory depends on the limit, not on the input. What is there is
/// returned without waiting for more.
package struct LineReader: ~Copyable {
  let file: OperandFile
  private let limit: Int
  private var buffer: LineBuffer
  private var failure: SystemError?
  private(set) var isAtEnd = false

  /// Opens a file, or that input for `-`.
  ///
  /// With `cutsLongLines`, a line that is longer than the limit is returned as its beginning, one byte
  /// longer than the limit; otherwise it is an error.
  package init(
    operand: String, _ input: Input = .standard, limit: Int, cutsLongLines: Bool = false
  ) throws(SystemError) {
    self.limit = limit
    file = try OperandFile(operand, input)
    buffer = LineBuffer(limit: limit, path: file.path, cutsLongLines: cutsLongLines)
  }

  /// The next lines, without their ends, at least one; none at the end.
  ///
  /// - Throws: ``SystemError``; of the kind `tooLarge` for a line that is too long.
  package mutating func next() throws(SystemError) -> [[UInt8]] {
    while true {
      if let lines = try buffered() { return lines }
      try read()
    }
  }

  /// The lines and all that follow, with `\n` after each.
  ///
  /// - Throws: ``SystemError`` of the kind `tooLarge` if that is longer than a line may be.
  package mutating func text(from lines: [[UInt8]]) throws(SystemError) -> [UInt8] {
    var (text, lines): ([UInt8], [[UInt8]]) = ([], lines)
    while !lines.isEmpty {
      for line in lines { text += line + [UInt8(ascii: "\n")] }
      guard text.count <= limit else { throw .tooLong(file.path, limit) }
      lines = try next()
    }
    return text
  }

  /// Whether ``next()`` returns without waiting for a writer.
  package func isReadable() throws(SystemError) -> Bool {
    if isAtEnd { return true }
    var entries = [Poll.Entry(file.number, .read)]
    return try Poll.wait(&entries, timeout: .zero) > 0
  }

  /// The next lines of what was read, none at the end; `nil` if more must be read.
  mutating func buffered(_ count: Int = .max) throws(SystemError) -> [[UInt8]]? {
    var lines: [[UInt8]] = []
    do throws(SystemError) {
      if let failure { throw failure }
      while lines.count < count, let line = try buffer.next() { lines.append(line) }
    } catch {
      // The lines before the one that is too long come first.
      failure = error
      if lines.isEmpty { throw error }
    }
    if !lines.isEmpty { return lines }
    return isAtEnd ? buffer.rest().map { [$0] } ?? [] : nil
  }

  /// Reads more, if there is more.
  mutating func read() throws(SystemError) {
    let bytes = try FileReader.readSome(file.number, path: file.path, count: 65_536)
    isAtEnd = bytes.isEmpty
    buffer.fill(bytes)
  }
}
