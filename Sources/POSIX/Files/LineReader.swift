import Glibc

/// Reads a file or standard input line by line, with a limit for each line.
///
/// A line ends at `\n`, `\r` or both; the line does not contain its end. What comes after a line that is
/// too long is not read.
package struct LineReader: ~Copyable {
  /// Keeps the file open.
  private let file: FileDescriptor?
  private let number: Int32
  private let path: String?
  private var buffer: LineBuffer
  private var isAtEnd = false

  /// Opens a file, or that input for `-`.
  package init(
    operand: String, _ input: Input = .standard, limit: Int
  ) throws(SystemError) {
    buffer = LineBuffer(limit: limit, path: operand == "-" ? nil : operand)
    if operand == "-" {
      number = input.descriptor
      path = nil
      file = nil
    } else {
      let opened = try FileDescriptor.open(operand)
      number = opened.number
      path = operand
      file = consume opened
    }
  }

  /// The next line; `nil` at the end.
  ///
  /// - Throws: ``SystemError``; of the kind `tooLarge` for a line of more than `limit` bytes.
  package mutating func next() throws(SystemError) -> [UInt8]? {
    while true {
      if let line = try buffer.next() { return line }
      if isAtEnd { return buffer.rest() }
      let bytes = try FileReader.readSome(number, path: path, count: 65_536)
      isAtEnd = bytes.isEmpty
      buffer.fill(bytes)
    }
  }
}

extension SystemError {
  /// A line is longer than the limit.
  static func tooLong(_ path: String?, _ limit: Int) -> SystemError {
    SystemError(
      "read", path: path, code: EFBIG, kind: .tooLarge,
      message: "a line is longer than \(limit) bytes")
  }
}
