import Glibc
package import Primitives

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
