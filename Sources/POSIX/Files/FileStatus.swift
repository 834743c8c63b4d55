import Glibc
package import Primitives

package struct FileStatus: Sendable, Hashable {
  package enum Kind: Sendable, Hashable { case file, directory, link, pipe, socket, device }

  package let kind: Kind
  /// Permission bits, such as 0o600.
  package let mode: UInt32
  package let owner: UInt32
  let group: UInt32
  package let size: Int64
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

extension FileProtection {
  /// Whether ``apply()`` can make the change: an owner is for the administrator to change.
  package var isApplicable: Bool {
    if case .owner = change { return false }
    return true
  }

  /// Makes the change to all of its files; a link in the place of one is not followed.
  package func apply() throws(SystemError) {
    for path in paths {
      let file = try FileDescriptor.open(path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
      let status = try FileStatus.of(descriptor: file.number, path: path)
      let mode: UInt32
      switch change {
      case .owner: throw SystemError("chown", path: path, code: EPERM)
      case .mode(let exact): mode = exact
      case .withoutForeignWriting: mode = status.mode & ~0o022
      }
      try checked("chmod", path: path) { fchmod(file.number, mode) }
    }
  }
}

/// What the directories of a file must be, so that no other user can read or replace it.
package enum DirectoryTrust: Sendable, Hashable {
  /// For secrets: no permission for group or others.
  case secret
  /// For what may be read by all: only its owner may change it.
  case shared
  /// For what the administrator may change too.
  case system

  /// Refuses directories that belong to another user, or that others may use.
  ///
  /// Takes directories with what each must be, the outermost first; those that do not exist are
  /// passed over. The error has `isUnsafe`, and the changes that make all of the directories safe.
  package static func require(_ levels: [(String, DirectoryTrust)]) throws(SystemError) {
    var (foreign, loose, cause): ([String], [String], String?) = ([], [], nil)
    var isSecret = false
    for (path, trust) in levels {
      // The error of opening the file says why its status cannot be read.
      guard let status = try? FileStatus.of(path), status.kind == .directory else { continue }
      // Others can add files to it, but cannot remove ours.
      if trust != .secret, status.isSticky, status.isOwnedByUser || status.owner == 0 { continue }
      if !status.isOwnedByUser, trust != .system || status.owner != 0 {
        foreign.append(path)
        cause = cause ?? "its directory '\(path)' belongs to user \(status.owner)"
      }
      if status.mode & trust.forbidden != 0 {
        loose.append(path)
        isSecret = isSecret || trust == .secret
        cause =
          cause ?? "others may \(trust.verb) its directory '\(path)' (mode \(status.modeText))"
      }
    }
    guard let cause else { return }
    let protections = [
      FileProtection(.owner(geteuid()), of: foreign),
      FileProtection(isSecret ? .mode(0o700) : .withoutForeignWriting, of: loose),
    ]
    throw SystemError(
      "open", code: EPERM, kind: .unsafe, message: cause,
      protections: protections.filter { !$0.paths.isEmpty })
  }

  private var forbidden: UInt32 { self == .secret ? 0o077 : 0o022 }
  private var verb: String { self == .secret ? "use" : "change" }
}
