import Glibc

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

  /// Resolves a path.
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

  /// `nil` if there is nothing.
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
