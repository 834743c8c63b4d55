import Glibc

/// Folders: made, listed, removed, made durable.
package enum Directory {
  /// Makes a directory; one that is there already is left as it is.
  ///
  /// Those made get exactly `mode`, whatever the umask.
  package static func create(
    _ path: String, mode: UInt32 = 0o700, intermediates: Bool = true
  ) throws(SystemError) {
    let name = try whole(path)
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
  package static func entries(_ path: String) throws(SystemError) -> [String] {
    let name = try whole(path)
    guard let stream = opendir(name) else { throw .last("open", path: path) }
    defer { closedir(stream) }
    return try names(in: stream, path: path).sorted()
  }

  /// Removes a file or a whole tree; links in it are removed, never followed.
  ///
  /// Nothing there is no error.
  package static func remove(tree path: String) throws(SystemError) {
    do throws(SystemError) {
      let slash = path.lastIndex(of: "/").map { path[$0...].dropFirst() }
      let name = slash.map(String.init) ?? path
      let folder = try FileDescriptor.open(parent(of: path), flags: O_RDONLY | O_DIRECTORY)
      try remove(try whole(name), in: folder.number, path: path)
      try folder.sync()
    } catch {
      if error.code != ENOENT { throw error }
    }
  }

  /// Returns when the names in it are on the medium.
  package static func sync(_ path: String) throws(SystemError) {
    let folder = try FileDescriptor.open(path, flags: O_RDONLY | O_DIRECTORY)
    // Some file systems cannot sync a directory and say EINVAL: there is nothing more to do.
    if fsync(folder.number) != 0, errno != EINVAL { throw .last("fsync", path: path) }
  }

  /// The directory that holds a path: `.` for a bare name.
  package static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    let parent = path[..<slash]
    return parent.isEmpty ? "/" : String(parent)
  }

  private static func names(
    in stream: OpaquePointer, path: String
  ) throws(SystemError) -> [String] {
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw .last("read", path: path) }
        return names
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
        field.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
  }

  /// Goes down by descriptors, so that nobody can turn a folder into a link half way.
  private static func remove(
    _ name: String, in folder: Int32, path: String
  ) throws(SystemError) {
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
      try remove(entry, in: number, path: path + "/" + entry)
    }
    try checked("rmdir", path: path) { unlinkat(folder, name, AT_REMOVEDIR) }
  }
}
