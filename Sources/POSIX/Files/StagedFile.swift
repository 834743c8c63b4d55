import Glibc
import Synchronization

/// A file that is written piece by piece and takes its place only when it is whole.
///
/// A regular file, or none, is replaced at `commit`; until then the old one stays,
/// and without `commit` nothing is left behind. A pipe or a device is written to as
/// it is.
package final class StagedFile: Sendable {
  private let path: String
  private let file: FileDescriptor
  private let temporary: Mutex<String?>

  /// Opens the file, or a new one beside it.
  package init(_ path: String, mode: UInt32) throws(SystemError) {
    self.path = path
    if let status = try? FileStatus.of(path), status.kind != .file {
      if status.kind == .directory { throw SystemError("open", path: path, code: EISDIR) }
      file = try FileDescriptor.open(path, .write)
      temporary = Mutex(nil)
      return
    }
    let name = Directory.parent(of: path) + "/" + LeftoverFiles.name()
    do throws(SystemError) {
      file = try FileDescriptor.open(
        name, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
    } catch {
      throw SystemError(error.call, path: path, code: error.code)
    }
    temporary = Mutex(name)
  }

  deinit {
    temporary.withLock { name in
      if let name { unlink(name) }
    }
  }

  /// Writes all bytes.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    try writeAll(bytes, to: file.number)
  }

  /// Puts the file in its place.
  package func commit() throws(SystemError) {
    let name = temporary.withLock { $0 }
    guard let name else { return }
    try file.sync()
    try checked("rename", path: path) { rename(name, path) }
    temporary.withLock { $0 = nil }
    try Directory.sync(Directory.parent(of: path))
  }
}
