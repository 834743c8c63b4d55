internal import CPOSIX
import Glibc

/// Facts about the terminal.
package enum Terminal {
  /// Whether a descriptor is one.
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
}

/// Why the user could not be asked.
package enum TerminalError: Error, Sendable, Hashable {
  /// There is no controlling terminal.
  case noTerminal
  /// The user ended the input instead of entering a line.
  case endOfInput
  case cancelled
  /// The line is longer than 64 KiB.
  case tooLong
  case system(SystemError)
}
