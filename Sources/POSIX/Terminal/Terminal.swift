import Glibc

/// Facts about the terminal.
package enum Terminal {
  /// Whether a descriptor is one.
  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Columns: `COLUMNS`, else what the terminal says, else nil.
  package static func width(
    of descriptor: Int32 = 1, environment: Environment = .current
  ) -> Int? {
    if let text = environment["COLUMNS"], let columns = Int(text), columns > 0 { return columns }
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}

/// Why a person could not be asked.
package enum TerminalError: Error, Sendable, Hashable {
  /// There is no controlling terminal.
  case noTerminal
  /// The person ended the input instead of answering.
  case endOfInput
  case cancelled
  /// An answer longer than 64 KiB.
  case tooLong
  case system(SystemError)
}
