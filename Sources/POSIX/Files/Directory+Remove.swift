import Glibc

extension Directory {
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
