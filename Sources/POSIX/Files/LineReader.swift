import Glibc

/// Reads a file or standard input in groups of lines, with a limit for each line.
///
/// A line ends at `\n`, `\r` or both. Memory depends on the limit, not on the input. What is there is
/// returned without waiting for more.
package struct LineReader: ~Copyable {
  let file: OperandFile
  private let limit: Int
  private var buffer: LineBuffer
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
      while lines.count < count, let line = try buffer.next() { lines.append(line) }
    } catch {
      // The lines before the one that is too long come first: that one fails again.
      if lines.isEmpty { throw error }
    }
    if !lines.isEmpty { return lines }
    return isAtEnd ? buffer.rest().map { [$0] } ?? [] : nil
  }

  mutating func read() throws(SystemError) {
    let bytes = try FileReader.readSome(file.number, path: file.path, count: 65_536)
    isAtEnd = bytes.isEmpty
    buffer.fill(bytes)
  }
}

/// Splits bytes into lines, with a limit for each line.
///
/// A line ends at `\n`, `\r` or both; the line does not contain its end.
struct LineBuffer {
  private let limit: Int
  private let path: String?
  private let cutsLongLines: Bool
  private var bytes: ArraySlice<UInt8> = []
  private var line: [UInt8] = []
  /// How long the line is that was begun.
  private var length = 0
  /// Whether the line before ended at `\r`, of which `\n` may be the rest.
  private var endedAtReturn = false

  init(limit: Int, path: String?, cutsLongLines: Bool = false) {
    self.limit = limit
    self.path = path
    self.cutsLongLines = cutsLongLines
  }

  /// Adds bytes; to be called when ``next()`` has returned `nil`.
  mutating func fill(_ bytes: [UInt8]) { self.bytes = bytes[...] }

  /// The next line that is complete; `nil` if more bytes are needed.
  ///
  /// - Throws: ``SystemError`` of the kind `tooLarge` for a line of more than `limit` bytes; for one that
  ///   is cut, of 16 times as many: an endless line is not waited for.
  mutating func next() throws(SystemError) -> [UInt8]? {
    guard let first = bytes.first else { return nil }
    if endedAtReturn, first == UInt8(ascii: "\n") { bytes = bytes.dropFirst() }
    endedAtReturn = false
    let part = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    length += part.count
    guard length <= (cutsLongLines ? 16 * limit : limit) else { throw .tooLong(path, limit) }
    line += part.prefix(limit + 1 - line.count)
    let hasEnd = part.endIndex < bytes.endIndex
    endedAtReturn = hasEnd && bytes[part.endIndex] == UInt8(ascii: "\r")
    bytes = bytes[part.endIndex...].dropFirst()
    guard hasEnd else { return nil }
    defer { (line, length) = ([], 0) }
    return line
  }

  /// The last line, if it has no end; `nil` if there is none.
  mutating func rest() -> [UInt8]? {
    defer { line = [] }
    return line.isEmpty ? nil : line
  }
}

/// Reads a file or standard input line by line, for a task that can be cancelled.
package actor LineFeed {
  private var reader: LineReader

  /// Opens a file, or that input for `-`; see ``LineReader``.
  package init(
    operand: String, _ input: Input = .standard, limit: Int, cutsLongLines: Bool = false
  ) throws(SystemError) {
    reader = try LineReader(
      operand: operand, input, limit: limit, cutsLongLines: cutsLongLines)
  }

  /// The next lines that are there, at least one; none at the end, and if the task is cancelled.
  ///
  /// To be called by one task at a time.
  package func next(_ count: Int) async throws(SystemError) -> [[UInt8]] {
    while !Task.isCancelled {
      if let lines = try reader.buffered(count) { return lines }
      guard try await Readiness.wait(for: reader.file.number) else { break }
      try reader.read()
    }
    return []
  }
}

/// The file that an operand names, or an input for `-`; open until this value ends.
struct OperandFile: ~Copyable {
  let number: Int32
  /// The path, for errors; `nil` for an input.
  let path: String?
  private let file: FileDescriptor?

  init(_ operand: String, _ input: Input) throws(SystemError) {
    guard operand != "-" else {
      number = input.descriptor
      path = nil
      file = nil
      return
    }
    let opened = try FileDescriptor.open(operand)
    number = opened.number
    path = operand
    file = consume opened
  }
}

extension SystemError {
  static func tooLong(_ path: String?, _ limit: Int) -> SystemError {
    SystemError(
      "read", path: path, code: EFBIG, kind: .tooLarge,
      message: "a line is longer than \(limit) bytes")
  }
}
