import CPOSIX
import Glibc
import Primitives

extension Terminal {
  /// Asks for a secret on the controlling terminal; what is typed is not shown.
  ///
  /// The terminal is restored afterwards, also if a signal ends or stops the process. A
  /// cancelled task ends the wait.
  package static func readSecret(prompt: String) async throws(TerminalError) -> [UInt8] {
    try await ask(prompt, silent: true)
  }

  /// Asks for a line of text on the controlling terminal.
  package static func readLine(prompt: String) async throws(TerminalError) -> String {
    String(decoding: try await ask(prompt, silent: false), as: UTF8.self)
  }

  /// Asks a yes-or-no question; `true` only for `y` and `yes`.
  package static func confirm(_ question: String) async throws(TerminalError) -> Bool {
    let answer = try await readLine(prompt: "\(question) [y/N] ")
    return ["y", "yes"].contains(answer.asciiLowercased.filter { !$0.isWhitespace })
  }

  private static func ask(
    _ prompt: String, silent: Bool
  ) async throws(TerminalError) -> [UInt8] {
    try await BackgroundThread.run(wrapping: TerminalError.system) { (wake) throws(TerminalError) in
      try readReply(prompt, silent: silent, wake: wake)
    }
  }

  private static func readReply(
    _ prompt: String, silent: Bool, wake: WakePipe
  ) throws(TerminalError) -> [UInt8] {
    let terminal: FileDescriptor
    do throws(SystemError) {
      terminal = try FileDescriptor.open("/dev/tty", .readWrite)
    } catch {
      throw .noTerminal
    }
    do throws(SystemError) {
      try checked("tcsetattr", cposix_prompt_begin(terminal.number, silent ? 1 : 0))
    } catch {
      throw .system(error)
    }
    defer { cposix_prompt_end() }
    do throws(SystemError) {
      try terminal.write(Array(prompt.utf8))
    } catch {
      throw .system(error)
    }
    return try readLine(terminal.number, wake: wake)
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
