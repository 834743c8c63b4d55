import Glibc

/// Files that are replaced whole or not at all.
package enum AtomicFile {
  /// Makes `bytes` the content of `path`, durably.
  ///
  /// A kill at any instant, a full disk or a refused permission leaves the old content. The file
  /// gets exactly `mode`, whatever the umask. A symbolic link in its place is refused.
  package static func write(
    _ bytes: [UInt8], to path: String, mode: UInt32 = 0o600
  ) throws(SystemError) {
    try refuseLink(path)
    let directory = Directory.parent(of: path)
    let temporary = directory + "/" + LeftoverFiles.name()
    do throws(SystemError) {
      try writeNew(bytes, to: temporary, mode: mode)
      try checked("rename", path: path) { rename(temporary, path) }
    } catch {
      unlink(temporary)
      // People know the document, not the temporary file.
      throw SystemError(error.call, path: path, code: error.code)
    }
    try Directory.sync(directory)
  }

  /// Proves that this many bytes can be written into a directory; what was written is gone again.
  ///
  /// A kill leaves a file that ``LeftoverFiles`` knows.
  package static func proveRoom(for count: Int, in directory: String) throws(SystemError) {
    let temporary = directory + "/" + LeftoverFiles.name()
    defer { unlink(temporary) }
    do throws(SystemError) {
      try writeNew([UInt8](repeating: 0x20, count: count), to: temporary, mode: 0o600)
    } catch {
      throw SystemError(error.call, path: directory, code: error.code)
    }
  }

  /// Removes a file, durably.
  package static func remove(_ path: String) throws(SystemError) {
    let name = try whole(path)
    try checked("unlink", path: path) { unlink(name) }
    try Directory.sync(Directory.parent(of: path))
  }

  private static func writeNew(
    _ bytes: [UInt8], to path: String, mode: UInt32
  ) throws(SystemError) {
    let file = try FileDescriptor.open(path, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
    try checked("fchmod") { fchmod(file.number, mode) }
    try file.write(bytes)
    try file.sync()
    try file.close()
  }

  private static func refuseLink(_ path: String) throws(SystemError) {
    let status: FileStatus
    do throws(SystemError) {
      status = try FileStatus.of(path, followLinks: false)
    } catch {
      if error.code == ENOENT { return }
      throw error
    }
    if status.kind == .link {
      throw SystemError(
        "open", path: path, code: ELOOP, kind: .unsafe, message: "is a symbolic link")
    }
    if status.kind == .directory { throw SystemError("rename", path: path, code: EISDIR) }
  }
}
