import CPOSIX
import Glibc
import Primitives

/// Files that are replaced as a whole or not at all.
package enum AtomicFile {
  /// Makes `bytes` the content of a document of this program, durably.
  ///
  /// If the process is killed, the disk is full or permission is denied, the old content stays.
  /// The file gets exactly `mode`, whatever the umask. A symbolic link at its path is refused.
  package static func write(
    _ bytes: [UInt8], to path: String, mode: UInt32 = 0o600
  ) throws(SystemError) {
    try write(bytes, to: path, .own(mode: mode))
  }

  package static func write(
    _ bytes: [UInt8], to path: String, _ policy: FilePolicy
  ) throws(SystemError) {
    let file = try StagedFile(path, policy)
    try file.write(bytes)
    try file.commit()
  }

  /// Writes texts that everybody may read, by their paths below a directory.
  package static func write(
    _ texts: [(path: String, text: String)], below directory: String
  ) throws(SystemError) {
    for (name, text) in texts {
      let path = "\(directory)/\(name)"
      try Directory.create(Directory.parent(of: path), mode: 0o755)
      try write(Array(text.utf8), to: path, mode: 0o644)
    }
  }

  /// Reserves this much space for a file that can be replaced, until the returned file is discarded.
  ///
  /// If the process is killed, ``LeftoverFiles`` can remove that file.
  package static func reserve(
    _ count: Int, for path: String
  ) throws(SystemError) -> StagedFile {
    let code = cposix_replacement_error(try validatedPath(path))
    if code != 0 { throw .irreplaceable(path, code) }
    let directory = Directory.parent(of: path)
    do throws(SystemError) {
      let file = try StagedFile(directory + "/" + LeftoverFiles.name(), .own(mode: 0o600))
      try file.write([UInt8](repeating: 0x20, count: count))
      try file.sync()
      return file
    } catch {
      throw error.about(directory)
    }
  }

  /// Removes a file, durably.
  package static func remove(_ path: String) throws(SystemError) {
    let name = try validatedPath(path)
    try checked("unlink", path: path) { unlink(name) }
    try Directory.sync(Directory.parent(of: path))
  }
}

extension SystemError {
  /// A file in whose place no other one can be put, although its directory can be written.
  fileprivate static func irreplaceable(_ path: String, _ code: Int32) -> SystemError {
    SystemError(
      "rename", path: path, code: code,
      message: code == EBUSY
        ? "is a mount point; mount its directory instead" : "is immutable or append-only (lsattr)")
  }
}

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

  package static func name() -> String {
    "\(prefix)\(getpid()).\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
  }

  private static let prefix = ".unfinished."

  private static func writer(of name: String) -> pid_t? {
    guard name.hasPrefix(prefix) else { return nil }
    return name.dropFirst(prefix.count).split(separator: ".").first.flatMap { pid_t($0) }
  }
}
