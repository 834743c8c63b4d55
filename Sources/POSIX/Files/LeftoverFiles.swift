import Glibc
import Primitives

/// The temporary files that a killed writer left behind.
package enum LeftoverFiles {
  /// Removes those in a directory whose writer is gone and that are older than ten minutes.
  ///
  /// The age protects the files of writers on another machine with the same directory.
  package static func sweep(_ directory: String) throws(SystemError) {
    let oldest = SystemClock.now() - 600
    for name in try Directory.entries(directory) {
      guard let writer = writer(of: name), kill(writer, 0) != 0, errno == ESRCH else { continue }
      let path = directory + "/" + name
      if let status = try? FileStatus.of(path, followLinks: false), status.modified < oldest {
        // A copy that was killed leaves a directory.
        if status.kind == .directory { try Directory.remove(tree: path) } else { unlink(path) }
      }
    }
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
