import CPOSIX
import Glibc
import Primitives

package enum Terminal {
  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// The columns of the terminal that standard output is; `nil` if they are not known.
  package static var width: Int? {
    let columns = Int(cposix_terminal_columns(1))
    return columns > 0 ? columns : nil
  }

  /// A writer to the controlling terminal, open until the process ends; `nil` if there is none.
  package static func openOutput() -> Output? {
    let number = open("/dev/tty", O_WRONLY | O_CLOEXEC | O_NOCTTY)
    return number < 0 ? nil : Output(descriptor: number, capacity: 0)
  }

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
    let reply: Result<[UInt8], TerminalError>
    do throws(TerminalError) {
      reply = .success(
        kind == CPOSIX_PROMPT_PASTE
          ? try readPaste(terminal.number, wake: wake) : try readLine(terminal.number, wake: wake))
    } catch {
      reply = .failure(error)
    }
    // Without editing by the terminal, no new line is shown, and at the end of the input none either.
    if kind == CPOSIX_PROMPT_PASTE || reply == .failure(.endOfInput) {
      try? terminal.write([0x0A])
    }
    return try reply.get()
  }

  private static func readPaste(
    _ number: Int32, wake: WakePipe
  ) throws(TerminalError) -> [UInt8] {
    let limit = 1 << 20
    var text: [UInt8] = []
    text.reserveCapacity(limit)
    // The end of the input, as the terminal itself would take it.
    let end: UInt8 = 0x04
    while true {
      let byte = try nextByte(number, wake: wake) ?? end
      switch byte {
      case end:
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

package enum TerminalError: Error, Sendable, Hashable {
  case noTerminal
  /// The user ended the input instead of entering a line.
  case endOfInput
  case cancelled
  /// The line is longer than 64 KiB.
  case tooLong
  case system(SystemError)
}

/// Standard input, or another descriptor in its place.
package struct Input: Sendable {
  package static let standard = Input(descriptor: 0)

  package let descriptor: Int32

  /// Reads from a descriptor that it does not own.
  package init(descriptor: Int32) { self.descriptor = descriptor }

  /// Whether it is a pipe, a socket or a file, as after `|` and `<` of a shell; a terminal and
  /// `/dev/null` are not.
  package var isRedirected: Bool {
    guard let status = try? FileStatus.of(descriptor: descriptor) else { return false }
    return [.file, .pipe, .socket].contains(status.kind)
  }

  /// One line without its line break; does not read beyond it.
  package func readLine(limit: Int) throws(SystemError) -> [UInt8] {
    let input = try duplicate()
    var line: [UInt8] = []
    while line.count < limit {
      let byte = try input.read(upTo: 1)
      if byte.isEmpty || byte == [UInt8(ascii: "\n")] { break }
      line += byte
    }
    return line
  }

  /// The content of this input if the path is `-`, else of that file.
  package func readOperand(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    path == "-"
      ? try FileReader.readAll(descriptor, path: nil, limit: limit)
      : try FileReader.read(path, limit: limit)
  }

  package func duplicate() throws(SystemError) -> FileDescriptor {
    let number = descriptor
    return FileDescriptor(
      owning: try checked("dup") { fcntl(number, F_DUPFD_CLOEXEC, 3) })
  }
}
