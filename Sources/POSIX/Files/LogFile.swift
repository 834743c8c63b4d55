import Glibc

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

  /// Writes the text with one call.
  package func write(_ text: String) throws(SystemError) {
    try file.write(Array(text.utf8))
  }
}
