import Glibc
import Primitives

/// Reads whole files, never more than a limit.
package enum FileReader {
  /// The content of a file, a pipe or `/dev/stdin`.
  ///
  /// More than `limit` bytes are an error of the kind `tooLarge`.
  package static func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    let file = try FileDescriptor.open(path)
    return try readAll(file.number, path: path, limit: limit)
  }

  /// The content of a document of this program that only its owner may read.
  ///
  /// A link, a foreign owner, or any permission for group or others is the error `isUnsafe`, with
  /// the change that makes the file safe.
  package static func readSecretDocument(
    _ path: String, limit: Int
  ) throws(SystemError) -> [UInt8] {
    try readOwnFile(path, limit: limit, forbidden: 0o077, change: .mode(0o600))
  }

  /// The content of a document of this program that only its owner may change.
  package static func readSharedDocument(
    _ path: String, limit: Int
  ) throws(SystemError) -> [UInt8] {
    try readOwnFile(path, limit: limit, forbidden: 0o022, change: .withoutForeignWriting)
  }

  /// The content of a document that only its owner may change: the user or the administrator.
  package static func readSystemDocument(
    _ path: String, limit: Int
  ) throws(SystemError) -> [UInt8] {
    try readOwnFile(
      path, limit: limit, forbidden: 0o022, change: .withoutForeignWriting, acceptsRoot: true)
  }

  private static func readOwnFile(
    _ path: String, limit: Int, forbidden: UInt32, change: FileProtection.Change,
    acceptsRoot: Bool = false
  ) throws(SystemError) -> [UInt8] {
    // Non-blocking, so that a pipe put in the file's place cannot hold us.
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    let file: FileDescriptor
    do throws(SystemError) {
      file = try FileDescriptor.open(path, flags: flags)
    } catch {
      throw error.code == ELOOP ? unsafe(path, "is a symbolic link") : error
    }
    let status = try FileStatus.of(descriptor: file.number, path: path)
    if status.kind == .directory { throw .isDirectory(path) }
    if status.kind != .file { throw unsafe(path, "is not a regular file") }
    if !status.isOwnedByUser, !acceptsRoot || status.owner != 0 {
      throw unsafe(path, "belongs to user \(status.owner)", change: .owner(geteuid()))
    }
    if status.mode & forbidden != 0 {
      throw unsafe(path, "others may use it (mode \(status.modeText))", change: change)
    }
    return try readAll(file.number, path: path, limit: limit, expecting: Int(clamping: status.size))
  }

  /// Reads to the end; uses no more memory than the expected number of bytes needs.
  static func readAll(
    _ number: Int32, path: String?, limit: Int, expecting expected: Int = 65_536
  ) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let likely = bytes.count < expected ? expected : max(bytes.count, 1024)
      let space = min(limit - bytes.count + 1, likely, 65_536)
      let part = try readSome(number, path: path, count: space)
      if part.isEmpty { return bytes }
      if bytes.count + part.count > limit {
        throw SystemError(
          "read", path: path, code: EFBIG, kind: .tooLarge,
          message: "it is larger than \(limit) bytes")
      }
      bytes += part
    }
  }

  /// The start, and what one call returns of the file behind it: nothing at the end.
  static func readSome(
    _ number: Int32, path: String?, count: Int, after start: [UInt8] = []
  ) throws(SystemError) -> [UInt8] {
    while true {
      var code: Int32 = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: start.count + count) { buffer, filled in
        _ = buffer.update(fromContentsOf: start)
        let got = Glibc.read(number, buffer.baseAddress.map { $0 + start.count }, count)
        if got < 0 { code = errno } else { filled = start.count + got }
      }
      switch code {
      case 0: return bytes
      case EINTR: continue
      case EAGAIN:
        var entries = [Poll.Entry(number, .read)]
        try Poll.wait(&entries, timeout: nil)
      default: throw SystemError("read", path: path, code: code)
      }
    }
  }

  static func unsafe(
    _ path: String, _ message: String, change: FileProtection.Change? = nil
  ) -> SystemError {
    SystemError(
      "open", path: path, code: EPERM, kind: .unsafe, message: message,
      protections: change.map { [FileProtection($0, of: [path])] } ?? [])
  }
}

/// Secrets that a person names: the one rule for all of them.
extension FileReader {
  /// The content of a file or a pipe, and how others can get at it; `nil` if they cannot.
  ///
  /// The file that the path leads to decides. Others must not be able to write it, nor to read it if the
  /// user owns it and could prevent that: so a secret that is mounted into a container is accepted,
  /// and a pipe of the shell (`/dev/fd/63`). A link counts only if nobody else can have made it.
  ///
  /// - Parameters:
  ///   - path: the file; waits for the writer of a pipe.
  ///   - limit: the greatest number of bytes.
  /// - Returns: the content, and the error `isUnsafe` for a file that is exposed to others.
  /// - Throws: ``SystemError`` if it cannot be read; `isUnsafe` for what is no file, and for a pipe
  ///   that is exposed: others decide how long the wait takes.
  package static func readSecret(
    _ path: String, limit: Int
  ) throws(SystemError) -> (bytes: [UInt8], exposure: SystemError?) {
    // Opening does not wait for the writer of a pipe: the pipe is checked first.
    let file = try FileDescriptor.open(path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY)
    let status = try FileStatus.of(descriptor: file.number, path: path)
    if status.kind == .directory { throw .isDirectory(path) }
    var exposure = status.exposure(isReadOnly: file.isOnReadOnlyFileSystem).map {
      unsafe(path, $0.cause, change: $0.change)
    }
    if exposure == nil { exposure = try exposedLink(in: path, leadingTo: status) }
    switch status.kind {
    case .file: break
    case .pipe:
      if let exposure { throw exposure }
      // Without a writer a read returns nothing; poll waits for the first one.
      var entries = [Poll.Entry(file.number, .read)]
      try Poll.wait(&entries, timeout: nil)
    default: throw unsafe(path, "is neither a file nor a pipe")
    }
    let size = Int(clamping: status.size)
    return (try readAll(file.number, path: path, limit: limit, expecting: size), exposure)
  }

  /// Why somebody else may have chosen where a path leads; `nil` if nobody else can have.
  private static func exposedLink(
    in path: String, leadingTo opened: FileStatus
  ) throws(SystemError) -> SystemError? {
    var (place, rest) = split(path)
    var last: FileStatus?
    var count = 0
    while let name = rest.popFirst() {
      let directory = place.isEmpty ? "/" : place
      place += "/\(name)"
      let status = try FileStatus.of(place, followLinks: false)
      last = status
      guard status.kind == .link else { continue }
      let holder = try FileStatus.of(directory)
      let isOfOthers =
        !status.isOwnedByUserOrRoot || !holder.isOwnedByUserOrRoot
        || (holder.mode & 0o022 != 0 && !holder.isSticky)
      if isOfOthers {
        return unsafe(path, "another user can change the symbolic link '\(VisibleText.of(place))'")
      }
      // A descriptor's link has no path as its text, but only the kernel makes these links.
      last = nil
      guard !holder.isOfProcesses else { continue }
      count += 1
      guard count <= 40 else { throw SystemError("open", path: path, code: ELOOP) }
      let target = split(try Paths.target(of: place))
      (place, rest) = (target.start, target.names + rest)
    }
    // What the links lead to now must be what was opened.
    let found = if let last { last } else { try FileStatus.of(place) }
    return found.isSameFile(as: opened) ? nil : unsafe(path, "it was replaced while it was opened")
  }

  /// The place where a path starts, as the part before a slash, and its names.
  private static func split(_ path: String) -> (start: String, names: ArraySlice<Substring>) {
    (path.utf8.first == UInt8(ascii: "/") ? "" : ".", path.split(separator: "/")[...])
  }
}

extension FileStatus {
  /// How others can get at the content of a secret with this status, and the change that makes it safe.
  ///
  /// `nil` if they cannot; no change where nobody can make it (`isReadOnly`), or not this user.
  func exposure(
    isReadOnly: Bool, to user: UInt32 = geteuid()
  ) -> (cause: String, change: FileProtection.Change?)? {
    guard owner == user || owner == 0 else { return ("belongs to user \(owner)", nil) }
    let change: FileProtection.Change? = owner == user && !isReadOnly ? .mode(0o600) : nil
    if mode & 0o022 != 0 { return ("others may change it (mode \(modeText))", change) }
    guard change != nil, mode & 0o044 != 0 else { return nil }
    return ("others may read it (mode \(modeText))", change)
  }

  fileprivate var isOwnedByUserOrRoot: Bool { isOwnedByUser || owner == 0 }

  /// Whether it is a directory of the file system of processes.
  fileprivate var isOfProcesses: Bool {
    guard let processes = try? FileStatus.of("/proc") else { return false }
    return processes.inode == 1 && processes.device == device
  }
}

extension FileDescriptor {
  /// Whether nobody can change files there, or their permissions.
  fileprivate var isOnReadOnlyFileSystem: Bool {
    var info = statvfs()
    return fstatvfs(number, &info) == 0 && info.f_flag & 1 != 0
  }
}
