import Glibc
import Primitives

/// The temporary files that a killed writer left behind.
package enum LeftoverFiles {
  /// Removes those in a directory that are abandoned.
  package static func sweep(_ directory: String) throws(SystemError) {
    for name in try Directory.entries(directory) where isTemporary(name) {
      let path = directory + "/" + name
      // A copy that was killed leaves a directory.
      if isAbandoned(path) { try Directory.remove(tree: path) }
    }
  }

  /// Whether a name is that of a temporary file.
  package static func isTemporary(_ name: String) -> Bool { writer(of: name) != nil }

  /// Whether a temporary file's writer is gone, and it is older than ten minutes.
  ///
  /// The age protects the files of writers on another machine with the same directory.
  package static func isAbandoned(_ path: String) -> Bool {
    guard let name = path.split(separator: "/").last, let writer = writer(of: String(name)),
      kill(writer, 0) != 0, errno == ESRCH,
      let status = try? FileStatus.of(path, followLinks: false)
    else { return false }
    return status.modified < SystemClock.now() - 600
  }

  /// A name for a temporary file of this process.
  package static func name() -> String {
    "\(prefix)\(getpid()).\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
  }

  private static let prefix = ".unfinished."

  private static func writer(of name: String) -> pid_t? {
    guard name.hasPrefix(prefix) else { return nil }
    return name.dropFirst(prefix.count).split(separator: ".").first.flatMap { pid_t($0) }
  }
}
