import Glibc
import Synchronization

/// A file that is written in several runs of the program, and takes its place when it is complete.
///
/// The content is in `PATH.part` beside the target until `commit`, and stays there if the program
/// ends. `PATH.part.state` holds a note of one line that says what the content is a part of.
package final class PartialFile: Sendable {
  private let path: String
  private let target: String
  private let old: FileStatus?
  private let file: FileDescriptor
  private let count: Mutex<Int64>

  /// Opens the part, or makes an empty one; only one process has it at a time.
  package convenience init(_ path: String) throws(SystemError) { try self.init(path, opened: {}) }

  /// The same; calls `opened` before the part is locked, for tests.
  init(_ path: String, opened: () -> Void) throws(SystemError) {
    guard case .file(let place, let old) = try FileDestination(path, .named(newMode: 0o600)) else {
      throw SystemError("open", path: path, code: EINVAL, message: "is not a regular file")
    }
    self.path = path
    self.old = old
    target = place
    file = try Self.locked(place + ".part", opened)
    let size = try file.status().size
    count = Mutex(size)
    try file.seek(to: size)
  }

  private static func locked(
    _ part: String, _ opened: () -> Void
  ) throws(SystemError) -> FileDescriptor {
    while true {
      let file = try FileDescriptor.open(part, flags: O_RDWR | O_CREAT | O_NOFOLLOW)
      opened()
      guard try file.status().kind == .file else {
        throw SystemError("open", path: part, code: EINVAL, message: "is not a regular file")
      }
      guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else {
        throw SystemError(
          "flock", path: part, code: errno, message: "is being written by another process")
      }
      // Another process may have put it in its place between open and lock.
      if try FileLock.isStill(file.number, at: part) { return file }
    }
  }

  package var size: Int64 { count.withLock { $0 } }

  package var note: String? {
    guard let bytes = try? FileReader.read(target + ".part.state", limit: 1 << 12) else {
      return nil
    }
    let line = String(decoding: bytes, as: UTF8.self).prefix { $0 != "\n" }
    return line.isEmpty ? nil : String(line)
  }

  /// Replaces the note; `nil` removes it.
  package func setNote(_ text: String?) throws(SystemError) {
    let name = target + ".part.state"
    guard let text else {
      if unlink(name) != 0, errno != ENOENT { throw .last("unlink", path: name) }
      return
    }
    let note = try StagedFile(name, .own(mode: 0o600))
    try note.write(Array((text + "\n").utf8))
    try note.commit()
  }

  /// Writes all bytes after those that there are.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    do throws(SystemError) { try writeAll(bytes, to: file.number) } catch {
      throw error.about(path)
    }
    count.withLock { $0 += Int64(bytes.count) }
  }

  package func restart() throws(SystemError) {
    try checked("ftruncate", path: path) { ftruncate(file.number, 0) }
    try file.seek(to: 0)
    count.withLock { $0 = 0 }
  }

  /// Puts the file in its place, durably, with the mode of an old one.
  package func commit() throws(SystemError) {
    try StagedFile.setMode(of: file.number, .named(newMode: 0o600), like: old)
    do throws(SystemError) { try file.sync() } catch { throw error.about(path) }
    try checked("rename", path: path) { rename(target + ".part", target) }
    try setNote(nil)
    try Directory.sync(Directory.parent(of: target))
  }
}
