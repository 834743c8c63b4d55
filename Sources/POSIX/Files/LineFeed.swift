/// Reads a file or standard input line by line, for a task that can be cancelled.
///
/// A read that has to wait blocks a thread of its own. Lines are those of ``LineReader``.
package actor LineFeed {
  /// Keeps the file open.
  private let file: FileDescriptor?
  private let number: Int32
  private let path: String?
  private let wake: WakePipe
  private var buffer: LineBuffer
  private var isAtEnd = false

  /// Opens a file, or that input for `-`.
  package init(
    operand: String, _ input: Input = .standard, limit: Int
  ) throws(SystemError) {
    wake = try WakePipe()
    path = operand == "-" ? nil : operand
    buffer = LineBuffer(limit: limit, path: path)
    if operand == "-" {
      number = input.descriptor
      file = nil
    } else {
      let opened = try FileDescriptor.open(operand)
      number = opened.number
      file = consume opened
    }
  }

  /// The next line; `nil` at the end, and if the task is cancelled.
  ///
  /// To be called by one task at a time.
  ///
  /// - Throws: ``SystemError``; of the kind `tooLarge` for a line of more than `limit` bytes.
  package func next() async throws(SystemError) -> [UInt8]? {
    while true {
      if Task.isCancelled { return nil }
      if let line = try buffer.next() { return line }
      if isAtEnd { return buffer.rest() }
      guard let bytes = try await read() else { return nil }
      isAtEnd = bytes.isEmpty
      buffer.fill(bytes)
    }
  }

  /// The next bytes, none at the end; `nil` if the task is cancelled.
  private func read() async throws(SystemError) -> [UInt8]? {
    let (number, path, wake) = (number, path, wake)
    let result = await withTaskCancellationHandler {
      await Self.result { () throws(SystemError) -> [UInt8]? in
        var entries = [Poll.Entry(wake.descriptor, .read), Poll.Entry(number, .read)]
        try Poll.wait(&entries, timeout: nil)
        guard entries[0].ready.isEmpty else { return nil }
        return try FileReader.readSome(number, path: path, count: 65_536)
      }
    } onCancel: {
      wake.signal()
    }
    return try result.get()
  }

  private static func result(
    _ body: @escaping @Sendable () throws(SystemError) -> [UInt8]?
  ) async -> Result<[UInt8]?, SystemError> {
    do throws(SystemError) {
      return .success(try await BackgroundThread.run(body))
    } catch {
      return .failure(error)
    }
  }
}
