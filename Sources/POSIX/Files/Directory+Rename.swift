import Glibc

extension Directory {
  /// Gives a directory another name, durably; the new name must be free.
  package static func rename(_ old: String, to new: String) throws(SystemError) {
    if FileStatus.exists(new) { throw SystemError("rename", path: new, code: EEXIST) }
    try create(parent(of: new))
    try checked("rename", path: old) { Glibc.rename(old, new) }
    try sync(parent(of: new))
  }
}
