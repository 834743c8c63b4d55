import Glibc

/// Makes, lists, removes and syncs directories.
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
}

extension Directory {
  /// Renames a directory, durably; the new name must not exist.
  package static func rename(_ old: String, to new: String) throws(SystemError) {
    if FileStatus.exists(new) { throw SystemError("rename", path: new, code: EEXIST) }
    try create(parent(of: new))
    try checked("rename", path: old) { Glibc.rename(old, new) }
    try sync(parent(of: new))
  }
}
