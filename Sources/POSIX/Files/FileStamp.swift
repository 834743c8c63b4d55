import Glibc

/// Tells one content of a file from another without reading it.
///
/// A file that is replaced, written or given to somebody else has another stamp. Only two changes
/// within one tick of the kernel's clock can have the same one.
package struct FileStamp: Sendable, Hashable {
  private let device: UInt64
  private let inode: UInt64
  private let size: Int64
  /// Seconds and nanoseconds of the last change of the content, and of owner, mode or name.
  private let modified, changed: Instant

  private struct Instant: Hashable {
    let seconds, nanoseconds: Int

    init(_ time: timespec) { (seconds, nanoseconds) = (time.tv_sec, time.tv_nsec) }
  }

  /// The stamp of the file at a path, which is not followed if it is a link; `nil` without a file.
  package static func of(_ path: String) -> FileStamp? {
    var raw = stat()
    return fstatat(AT_FDCWD, path, &raw, AT_SYMLINK_NOFOLLOW) == 0 ? FileStamp(raw) : nil
  }

  private init(_ raw: stat) {
    device = UInt64(raw.st_dev)
    inode = UInt64(raw.st_ino)
    size = Int64(raw.st_size)
    modified = Instant(raw.st_mtim)
    changed = Instant(raw.st_ctim)
  }
}
