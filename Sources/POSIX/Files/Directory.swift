import Glibc

package enum Directory {
  /// Makes a directory; an existing one is not changed.
  ///
  /// New directories get exactly `mode`, whatever the umask.
  package static func create(
    _ path: String, mode: UInt32 = 0o700, intermediates: Bool = true
  ) throws(SystemError) {
    let name = try validatedPath(path)
    if mkdir(name, mode) == 0 {
      try checked("chmod", path: path) { chmod(name, mode) }
      return
    }
    switch errno {
    case EEXIST:
      if try FileStatus.of(path).kind != .directory {
        throw SystemError("mkdir", path: path, code: ENOTDIR)
      }
    case ENOENT where intermediates && parent(of: path) != path:
      try create(parent(of: path), mode: mode)
      try create(path, mode: mode, intermediates: false)
    default: throw .last("mkdir", path: path)
    }
  }

  /// The names in a directory, sorted, without `.` and `..`.
  ///
  /// Names that are not UTF-8 are left out: as text they would name other files.
  package static func entries(_ path: String) throws(SystemError) -> [String] {
    let name = try validatedPath(path)
    guard let stream = opendir(name) else { throw .last("open", path: path) }
    defer { closedir(stream) }
    return try names(in: stream, path: path).compactMap(\.text).sorted()
  }

  /// The same; none if there is no such directory.
  package static func entriesIfPresent(_ path: String) throws(SystemError) -> [String] {
    do throws(SystemError) { return try entries(path) } catch {
      guard error.isNotFound else { throw error }
      return []
    }
  }

  /// Whether a directory can be listed and has a name that the body accepts.
  package static func contains(_ path: String, where accepts: (String) -> Bool) -> Bool {
    guard let name = try? validatedPath(path), let stream = opendir(name) else { return false }
    defer { closedir(stream) }
    while let entry = try? nextName(in: stream, path: path) {
      if let text = entry.text, accepts(text) { return true }
    }
    return false
  }

  /// Whether this process may make files in it, which a read-only file system does not let it do.
  package static func isWritable(_ path: String) -> Bool {
    guard let name = try? validatedPath(path) else { return false }
    return access(name, W_OK) == 0
  }

  /// Returns when the names in it are on the medium.
  static func sync(_ path: String) throws(SystemError) {
    let folder = try FileDescriptor.open(path, flags: O_RDONLY | O_DIRECTORY)
    // Some file systems cannot sync a directory and return EINVAL: nothing more can be done.
    if fsync(folder.number) != 0, errno != EINVAL { throw .last("fsync", path: path) }
  }

  /// The directory that holds a path: `.` for a bare name.
  package static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    let parent = path[..<slash]
    return parent.isEmpty ? "/" : String(parent)
  }

  /// Renames a directory, durably; the new name must not exist.
  package static func rename(_ old: String, to new: String) throws(SystemError) {
    if FileStatus.exists(new) { throw SystemError("rename", path: new, code: EEXIST) }
    try create(parent(of: new))
    try checked("rename", path: old) { Glibc.rename(old, new) }
    try sync(parent(of: new))
  }

  /// The name of a file in its directory: any bytes but NUL and the slash.
  struct FileName {
    let bytes: [UInt8]

    var text: String? { String(validating: bytes, as: UTF8.self) }
    var cString: [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }
  }

  /// The names that are left in an open directory, without `.` and `..`.
  static func names(
    in stream: OpaquePointer, path: String
  ) throws(SystemError) -> [FileName] {
    var names: [FileName] = []
    while let name = try nextName(in: stream, path: path) { names.append(name) }
    return names
  }

  /// The next name that a directory lists, without those of itself and its parent; `nil` at its end.
  static func nextName(
    in stream: OpaquePointer, path: String
  ) throws(SystemError) -> FileName? {
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw .last("read", path: path) }
        return nil
      }
      let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if bytes != Array(".".utf8), bytes != Array("..".utf8) { return FileName(bytes: bytes) }
    }
  }

  /// Removes a file or a whole tree, durably; links in it are removed, never followed.
  ///
  /// It is no error if nothing is there.
  package static func remove(tree path: String) throws(SystemError) {
    let last = try validatedPath(path).utf8.reversed().prefix { $0 != UInt8(ascii: "/") }.reversed()
    let name = FileName(bytes: Array(last))
    do throws(SystemError) {
      _ = try FileStatus.of(path, followLinks: false)
    } catch {
      // Only here: a name that a directory lists and that cannot be removed still exists.
      if error.code == ENOENT { return }
      throw error
    }
    let folder = try FileDescriptor.open(parent(of: path), flags: O_RDONLY | O_DIRECTORY)
    try remove(name, in: folder.number, path: path)
    try folder.sync()
  }

  /// Uses descriptors, so that no other process can replace a directory with a link meanwhile.
  private static func remove(
    _ fileName: FileName, in folder: Int32, path: String
  ) throws(SystemError) {
    let name = fileName.cString
    if unlinkat(folder, name, 0) == 0 { return }
    if errno != EISDIR, errno != EPERM { throw .last("unlink", path: path) }
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let number = try checked("open", path: path) { openat(folder, name, flags) }
    guard let stream = fdopendir(number) else {
      Glibc.close(number)
      throw .last("open", path: path)
    }
    defer { closedir(stream) }
    for entry in try names(in: stream, path: path) {
      try remove(entry, in: number, path: "\(path)/\(entry.text ?? "\u{FFFD}")")
    }
    try checked("rmdir", path: path) { unlinkat(folder, name, AT_REMOVEDIR) }
  }
}

package enum Paths {
  /// The absolute form of a path; links are not resolved.
  ///
  /// Fails if the path of the current directory is not UTF-8.
  package static func absolute(_ path: String) throws(SystemError) -> String {
    guard !path.hasPrefix("/"), !path.isEmpty else { return path }
    guard let start = getcwd(nil, 0) else {
      throw SystemError(
        "getcwd", path: path, code: errno, message: "the current directory cannot be found")
    }
    defer { free(start) }
    guard let current = String(validatingCString: start) else {
      throw SystemError(
        "getcwd", path: path, code: EILSEQ,
        message: "the current directory has a path that is not UTF-8")
    }
    return "\(current)/\(path)"
  }

  /// The path of the current directory; `nil` if it was removed or is not UTF-8.
  package static var current: String? {
    (try? absolute(".")).map { $0 == "//." ? "/" : String($0.dropLast(2)) }
  }

  /// The path that a symbolic link leads to, one step.
  static func target(of link: String) throws(SystemError) -> String {
    var bytes = [CChar](repeating: 0, count: 4096)
    let count = try checked("readlink", path: link) { readlink(link, &bytes, bytes.count) }
    guard let text = String(validating: bytes.prefix(count), as: UTF8.self) else {
      throw SystemError("readlink", path: link, code: EILSEQ)
    }
    return text.utf8.first == UInt8(ascii: "/") ? text : "\(Directory.parent(of: link))/\(text)"
  }

  /// The program that this process runs; `nil` if its path is not UTF-8, or cannot be found.
  package static var executable: String? { try? target(of: "/proc/self/exe") }
}
