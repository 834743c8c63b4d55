import Arguments
import POSIX
import Primitives
import SDKCore

/// A file with a token, which is replaced as a whole.
struct TokenFile: Sendable {
  let path: String
  var mode: UInt32 = 0o600

  /// Writes the lines; the token alone has no line break, which not every reader removes.
  func write(_ lines: [String]) throws(Failure) {
    let text = lines.count == 1 ? lines[0] : lines.joined(separator: "\n") + "\n"
    try Failure.writing { () throws(SystemError) in
      try AtomicFile.write(Array(text.utf8), to: path, .own(mode: mode))
    }
  }

  /// A mode in octal digits, in which only the owner may write.
  static func mode(_ text: String) throws(ValueError) -> UInt32 {
    guard (3...4).contains(text.utf8.count), text.utf8.allSatisfy(\.isDigit),
      let mode = UInt32(text, radix: 8),
      mode & ~0o644 == 0, mode & 0o400 != 0
    else {
      throw ValueError("expected a mode such as 0600, 0640 or 0444: only the owner may write")
    }
    return mode
  }
}

/// What is written to a token's file.
struct WrittenToken: Sendable, Hashable {
  let lines: [String]
  /// When the token expires; `nil` if it does not, or if that is not known.
  let expires: Timestamp?
}
