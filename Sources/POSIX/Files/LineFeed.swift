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
  ///
  /// - Parameter count: how many lines are returned at most.
  /// - Returns: the lines, without their ends.
  /// - Throws: ``SystemError``; of the kind `tooLarge` for a line that is too long.
  package func next(_ count: Int) async throws(SystemError) -> [[UInt8]] {
    while !Task.isCancelled {
      if let lines = try reader.buffered(count) { return lines }
      guard try await Readiness.wait(for: reader.file.number) else { break }
      try reader.read()
    }
    return []
  }
}
