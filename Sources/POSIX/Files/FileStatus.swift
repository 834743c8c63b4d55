import Glibc
package import Primitives

/// The status of a file (stat).
package struct FileStatus: Sendable, Hashable {
  package enum Kind: Sendable, Hashable { case file, directory, link, pipe, socket, device }

  package let kind: Kind
  /// Permission bits, such as 0o600.
  package let mode: UInt32
  package let owner: UInt32
  let group: UInt32
  package let size: Int64
  /// When its content last changed.
  package let modified: Timestamp
  let device: UInt64
  let inode: UInt64

  package static func of(
    _ path: String, followLinks: Bool = true
  ) throws(SystemError) -> FileStatus {
    let name = try validatedPath(path)
    var raw = stat()
    try checked("stat", path: path) {
      fstatat(AT_FDCWD, name, &raw, followLinks ? 0 : AT_SYMLINK_NOFOLLOW)
    }
    return FileStatus(raw)
  }

  static func of(
    descriptor: Int32, path: String? = nil
  ) throws(SystemError) -> FileStatus {
    var raw = stat()
    try checked("stat", path: path) { fstat(descriptor, &raw) }
    return FileStatus(raw)
  }

  /// Whether something exists at a path; also `false` if that cannot be read.
  package static func exists(_ path: String) -> Bool {
    (try? of(path, followLinks: false)) != nil
  }

  /// No permission for group or others.
  package var isPrivate: Bool { mode & 0o077 == 0 }
  /// Whether only the owner of a file in this directory may remove it, as in `/tmp`.
  var isSticky: Bool { mode & 0o1000 != 0 }
  package var isOwnedByUser: Bool { owner == geteuid() }
  /// The permission bits as people write them: `0644`.
  package var modeText: String { Self.modeText(mode) }

  package static func modeText(_ mode: UInt32) -> String {
    let digits = String(mode, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  func isSameFile(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode
  }

  init(_ raw: stat) {
    kind = Kind(raw.st_mode)
    mode = raw.st_mode & 0o7777
    owner = raw.st_uid
    group = raw.st_gid
    size = Int64(raw.st_size)
    modified = Timestamp(Int64(raw.st_mtim.tv_sec))
    device = UInt64(raw.st_dev)
    inode = UInt64(raw.st_ino)
  }
}

extension FileStatus.Kind {
  fileprivate init(_ mode: mode_t) {
    switch mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .directory
    case S_IFLNK: self = .link
    case S_IFIFO: self = .pipe
    case S_IFSOCK: self = .socket
    default: self = .device
    }
  }
}
