import Glibc
import Synchronization

/// A file that is written piece by piece and takes its place only when it is complete.
///
/// The one writer of files. A regular file is replaced at `commit`; until then the old one stays,
/// and without `commit` nothing is left behind. A pipe or a device is written to as it is.
package final class StagedFile: Sendable {
  private let path: String
  private let target: String
  private let file: FileDescriptor
  /// Whether a person would read what is written.
  package let isTerminal: Bool
  /// The new file beside the target, until it takes its place.
  private let temporary: Mutex<String?>

  /// Opens the file that the policy leads to, or a new one beside it.
  package init(_ path: String, _ policy: FilePolicy) throws(SystemError) {
    self.path = path
    switch try FileDestination(path, policy) {
    case .descriptor(let number):
      target = path
      file = FileDescriptor(
        owning: try checked("open", path: path) { fcntl(number, F_DUPFD_CLOEXEC, 3) })
      isTerminal = isatty(file.number) == 1
      temporary = Mutex(nil)
    case .stream(let place):
      target = place
      file = try FileDescriptor.open(place, .write)
      isTerminal = isatty(file.number) == 1
      temporary = Mutex(nil)
    case .file(let place, let old):
      target = place
      isTerminal = false
      let name = Directory.parent(of: place) + "/" + LeftoverFiles.name()
      do throws(SystemError) {
        file = try FileDescriptor.open(name, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
        temporary = Mutex(name)
        try Self.setMode(of: file.number, policy, like: old)
      } catch {
        // Errors name the file, not the temporary one.
        throw error.about(path)
      }
    }
  }

  deinit { discard() }

  /// Whether a regular file is made or replaced at `commit`.
  package var isReplacing: Bool { temporary.withLock { $0 != nil } }

  package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    do throws(SystemError) { try writeAll(bytes, to: file.number) } catch {
      throw error.about(path)
    }
  }

  package func write(_ bytes: [UInt8]) throws(SystemError) {
    do throws(SystemError) { try writeAll(bytes, to: file.number) } catch {
      throw error.about(path)
    }
  }

  /// Removes what was written to the new file, so that it can be written again; `false` for pipes
  /// and devices.
  package func restart() -> Bool {
    isReplacing && ftruncate(file.number, 0) == 0 && lseek(file.number, 0, SEEK_SET) == 0
  }

  func sync() throws(SystemError) {
    do throws(SystemError) { try file.sync() } catch { throw error.about(path) }
  }

  /// Puts the file in its place, durably.
  ///
  /// Unless it is `replacing`, a file that is there, or that another process makes meanwhile, stays: that is
  /// an error.
  package func commit(replacing: Bool = true) throws(SystemError) {
    let name = temporary.withLock { $0 }
    guard let name else { return }
    try sync()
    if replacing {
      try checked("rename", path: path) { rename(name, target) }
      temporary.withLock { $0 = nil }
    } else {
      try place(name)
    }
    try Directory.sync(Directory.parent(of: target))
  }

  /// Puts the file where there is none.
  private func place(_ name: String) throws(SystemError) {
    // Other than `rename`, `link` replaces nothing. Not every file system has hard links.
    if link(name, target) != 0 {
      if FileStatus.exists(target) { throw SystemError("link", path: path, code: EEXIST) }
      try checked("rename", path: path) { rename(name, target) }
    }
    unlink(name)
    temporary.withLock { $0 = nil }
  }

  /// Removes the new file, and frees its space at once; the old one stays.
  ///
  /// To be called explicitly: a process that ends runs no `deinit`.
  package func discard() {
    temporary.withLock { name in
      guard let path = name else { return }
      ftruncate(file.number, 0)
      unlink(path)
      name = nil
    }
  }

  /// Sets the mode, whatever the umask; an existing file that a person named keeps mode and owner.
  static func setMode(
    of number: Int32, _ policy: FilePolicy, like old: FileStatus?
  ) throws(SystemError) {
    var mode: UInt32
    switch policy {
    case .own(let exact): mode = exact
    case .named(let new), .secret(let new):
      mode = old.map { $0.mode & 0o777 } ?? new
      // If the group cannot be kept, another group must not get its permissions.
      if let old, fchown(number, old.owner, old.group) != 0,
        fchown(number, uid_t.max, old.group) != 0
      {
        mode &= ~0o070
      }
    }
    try checked("fchmod") { fchmod(number, mode) }
  }
}

/// What a writer does with what it finds at a path.
package enum FilePolicy: Sendable, Hashable {
  /// For a document of this program: it gets exactly this mode. A symbolic link, or anything else
  /// but a regular file, is refused.
  case own(mode: UInt32)
  /// For a file that a person named: symbolic links are followed, pipes and devices are written
  /// to, and a regular file keeps its mode and owner. A new file gets this mode.
  case named(newMode: UInt32)
  /// The same for a secret, which no symbolic link leads elsewhere, except to an open descriptor.
  case secret(newMode: UInt32)
}

/// Where the bytes for a path go: the one decision on symbolic links.
enum FileDestination: Sendable, Hashable {
  /// A regular file to be made, or to be replaced as a whole.
  case file(String, replacing: FileStatus?)
  /// A pipe or a device, written to as it is.
  case stream(String)
  /// An open descriptor of this process, such as `/dev/stdout`.
  case descriptor(Int32)

  init(_ path: String, _ policy: FilePolicy) throws(SystemError) {
    switch policy {
    case .own: self = .file(path, replacing: try Self.ownFile(path))
    case .named: self = try Self.followed(path, throughLinks: true)
    case .secret: self = try Self.followed(path, throughLinks: false)
    }
  }

  private static func ownFile(_ path: String) throws(SystemError) -> FileStatus? {
    guard let status = try status(path) else { return nil }
    switch status.kind {
    case .file: return status
    case .directory: throw SystemError("rename", path: path, code: EISDIR)
    case .link: throw link(path)
    default:
      throw SystemError(
        "open", path: path, code: EPERM, kind: .unsafe, message: "is not a regular file")
    }
  }

  private static func link(_ path: String) -> SystemError {
    SystemError("open", path: path, code: ELOOP, kind: .unsafe, message: "is a symbolic link")
  }

  private static func followed(
    _ path: String, throughLinks: Bool
  ) throws(SystemError) -> FileDestination {
    var place = path
    // The kernel follows as many links.
    for _ in 0...40 {
      if let number = descriptor(place) { return .descriptor(number) }
      guard let status = try status(place) else { return .file(place, replacing: nil) }
      switch status.kind {
      case .link:
        place = try Paths.target(of: place)
        guard throughLinks || descriptor(place) != nil else { throw link(path) }
      case .directory: throw SystemError("open", path: path, code: EISDIR)
      case .file:
        // Replacing needs no write permission on the file, so write protection is checked here.
        try checked("open", path: path) { faccessat(AT_FDCWD, place, W_OK, AT_EACCESS) }
        return .file(place, replacing: status)
      case .pipe, .socket, .device: return .stream(place)
      }
    }
    throw SystemError("open", path: path, code: ELOOP)
  }

  private static func status(_ path: String) throws(SystemError) -> FileStatus? {
    do throws(SystemError) {
      return try FileStatus.of(path, followLinks: false)
    } catch {
      if error.code == ENOENT { return nil }
      throw error
    }
  }

  /// The descriptor that a path such as `/dev/fd/3` names.
  private static func descriptor(_ path: String) -> Int32? {
    for folder in ["/dev/fd/", "/proc/self/fd/"] where path.utf8.starts(with: folder.utf8) {
      let digits = String(decoding: path.utf8.dropFirst(folder.utf8.count), as: UTF8.self)
      return Int32(digits).flatMap { $0 >= 0 ? $0 : nil }
    }
    return nil
  }
}
