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
    if bytes.isEmpty { return nil }
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
