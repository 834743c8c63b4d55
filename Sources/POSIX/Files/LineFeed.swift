/// Reads a file or standard input line by line, for a task that can be cancelled.
///
/// A line ends at `\n`, `\r` or both.
package actor LineFeed {
  private let file: OperandFile
  private var buffer: LineBuffer
  private var isAtEnd = false
  private var failure: SystemError?

  /// Opens a file, or that input for `-`.
  package init(
    operand: String, _ input: Input = .standard, limit: Int
  ) throws(SystemError) {
    file = try OperandFile(operand, input)
    buffer = LineBuffer(limit: limit, path: file.path)
  }

  /// The next lines that are there, at least one; none at the end, and if the task is cancelled.
  ///
  /// To be called by one task at a time.
  ///
  /// - Parameter count: how many lines are returned at most.
  /// - Returns: the lines, without their ends.
  /// - Throws: ``SystemError``; of the kind `tooLarge` for a line of more than `limit` bytes.
  package func next(_ count: Int) async throws(SystemError) -> [[UInt8]] {
    while true {
      if Task.isCancelled { return [] }
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
      if isAtEnd { return buffer.rest().map { [$0] } ?? [] }
      guard let bytes = try await read() else { return [] }
      isAtEnd = bytes.isEmpty
      buffer.fill(bytes)
    }
  }

  /// The next bytes, none at the end; `nil` if the task is cancelled.
  private func read() async throws(SystemError) -> [UInt8]? {
    let (number, path) = (file.number, file.path)
    guard try await Readiness.wait(for: number) else { return nil }
    return try FileReader.readSome(number, path: path, count: 65_536)
  }
}
