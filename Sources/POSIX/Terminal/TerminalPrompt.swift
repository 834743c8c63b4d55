import CPOSIX
import Glibc
import Primitives

extension Terminal {
  /// Asks for a secret on the controlling terminal; what is typed is not shown.
  ///
  /// The terminal is restored afterwards, also if a signal ends or stops the process. A
  /// cancelled task ends the wait.
  package static func readSecret(prompt: String) async throws(TerminalError) -> [UInt8] {
    try await ask(prompt, CPOSIX_PROMPT_SECRET)
  }

  /// Asks for a text that is pasted on the controlling terminal; it is not shown, and may be longer than a line of
  /// the terminal, or have several.
  ///
  /// It ends with a line after which nothing comes for 100 ms.
  package static func readPaste(prompt: String) async throws(TerminalError) -> [UInt8] {
    try await ask(prompt, CPOSIX_PROMPT_PASTE)
  }

  /// Asks for a line of text on the controlling terminal.
  package static func readLine(prompt: String) async throws(TerminalError) -> String {
    String(decoding: try await ask(prompt, CPOSIX_PROMPT_LINE), as: UTF8.self)
  }

  /// Asks a yes-or-no question; `true` only for `y` and `yes`.
  package static func confirm(_ question: String) async throws(TerminalError) -> Bool {
    let answer = try await readLine(prompt: "\(question) [y/N] ")
    return ["y", "yes"].contains(answer.asciiLowercased.filter { !$0.isWhitespace })
  }

  private static func ask(
    _ prompt: String, _ kind: cposix_prompt
  ) async throws(TerminalError) -> [UInt8] {
    try await BackgroundThread.run(wrapping: TerminalError.system) { (wake) throws(TerminalError) in
      try readReply(prompt, kind, wake: wake)
    }
  }

  private static func readReply(
    _ prompt: String, _ kind: cposix_prompt, wake: WakePipe
  ) throws(TerminalError) -> [UInt8] {
    let terminal: FileDescriptor
    do throws(SystemError) {
      terminal = try FileDescriptor.open("/dev/tty", .readWrite)
    } catch {
      throw .noTerminal
    }
    do throws(SystemError) {
      try checked("tcsetattr", cposix_prompt_begin(terminal.number, kind))
    } catch {
      throw .system(error)
    }
    defer { cposix_prompt_end() }
    do throws(SystemError) {
      try terminal.write(Array(prompt.utf8))
    } catch {
      throw .system(error)
    }
    guard kind == CPOSIX_PROMPT_PASTE else { return try readLine(terminal.number, wake: wake) }
    let text = try readPaste(terminal.number, wake: wake)
    // Without editing by the terminal, no new line is shown either.
    try? terminal.write([0x0A])
    return text
  }

  private static func readPaste(
    _ number: Int32, wake: WakePipe
  ) throws(TerminalError) -> [UInt8] {
    let limit = 1 << 20
    var text: [UInt8] = []
    text.reserveCapacity(limit)
    while let byte = try nextByte(number, wake: wake) {
      switch byte {
      // The end of the input, as the terminal itself would take it.
      case 0x04:
        if text.isEmpty { throw .endOfInput }
        return text
      case 0x08, 0x7F: _ = text.popLast()
      case UInt8(ascii: "\n"):
        if !text.isEmpty, try !isReadable(number, within: .milliseconds(100)) { return text }
        text.append(byte)
      default: text.append(byte)
      }
      if text.count == limit { throw .tooLong }
    }
    if text.isEmpty { throw .endOfInput }
    return text
  }

  private static func isReadable(
    _ number: Int32, within time: Duration
  ) throws(TerminalError) -> Bool {
    do throws(SystemError) {
      var entries = [Poll.Entry(number, .read)]
      try Poll.wait(&entries, timeout: time)
      return !entries[0].ready.isEmpty
    } catch {
      throw .system(error)
    }
  }

  private static func readLine(
    _ number: Int32, wake: WakePipe
  ) throws(TerminalError) -> [UInt8] {
    // Reserved at the start: a growing array would leave copies of a secret in memory.
    let limit = 65_536
    var line: [UInt8] = []
    line.reserveCapacity(limit)
    while let byte = try nextByte(number, wake: wake) {
      if byte == UInt8(ascii: "\n") { return line }
      line.append(byte)
      if line.count == limit { throw .tooLong }
    }
    if line.isEmpty { throw .endOfInput }
    return line
  }

  /// The next byte; `nil` at the end of the input.
  private static func nextByte(
    _ number: Int32, wake: WakePipe
  ) throws(TerminalError) -> UInt8? {
    var byte: UInt8 = 0
    let isCancelled: Bool
    let count: Int
    do throws(SystemError) {
      var entries = [Poll.Entry(number, .read), Poll.Entry(wake.descriptor, .read)]
      try Poll.wait(&entries, timeout: nil)
      isCancelled = !entries[1].ready.isEmpty
      count = isCancelled ? 0 : try checked("read") { Glibc.read(number, &byte, 1) }
    } catch {
      throw .system(error)
    }
    if isCancelled { throw .cancelled }
    return count == 0 ? nil : byte
  }
}
