import Glibc
import Synchronization

/// A file to which text is written as it comes, so that it can be read meanwhile.
package final class LogFile: Sendable {
  private let file: FileDescriptor

  /// Empties the file, or makes it, and sets its mode to 0600; pipes and devices are written to.
  ///
  /// With `appends`, what the file has stays, and a symbolic link is refused.
  package init(_ path: String, appends: Bool = false) throws(SystemError) {
    file = try FileDescriptor.open(
      path,
      flags: O_WRONLY | O_CREAT | O_APPEND | O_NOCTTY | (appends ? O_NOFOLLOW : O_TRUNC),
      mode: 0o600)
    if try file.status().kind == .file {
      try checked("fchmod", path: path) { fchmod(file.number, 0o600) }
    }
  }

  package func write(_ text: String) throws(SystemError) {
    try file.write(Array(text.utf8))
  }
}

/// A document to which parts are added, and which is complete after each of them.
package final class TailedFile: Sendable {
  private let file: FileDescriptor
  private let path: String
  private let tail: [UInt8]
  /// Where the end of the document begins.
  private let position: Mutex<Int>

  /// Empties the file, or makes it, with the mode 0600, and writes the document without any part.
  package init(_ path: String, head: String, tail: String) throws(SystemError) {
    file = try FileDescriptor.open(
      path, flags: O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY, mode: 0o600)
    self.path = path
    self.tail = Array(tail.utf8)
    position = Mutex(head.utf8.count)
    if try file.status().kind == .file {
      try checked("fchmod", path: path) { fchmod(file.number, 0o600) }
    }
    try file.write(Array(head.utf8) + self.tail)
  }

  /// Writes a part before the end.
  package func add(_ part: String) throws(SystemError) {
    try position.withLock { (position) throws(SystemError) in
      let start = off_t(position)
      try checked("lseek", path: path) { lseek(file.number, start, SEEK_SET) < 0 ? -1 : 0 }
      try file.write(Array(part.utf8) + tail)
      position += part.utf8.count
    }
  }
}
