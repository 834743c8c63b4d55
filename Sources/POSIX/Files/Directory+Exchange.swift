internal import CPOSIX
import Glibc

extension Directory {
  /// Exchanges what two names in one directory stand for, in one step and durably.
  package static func exchange(_ one: String, _ other: String) throws(SystemError) {
    try checked("rename", path: one) { cposix_exchange(one, other) }
    try sync(parent(of: one))
  }

  /// Makes a symbolic link, durably.
  package static func link(_ path: String, to target: String) throws(SystemError) {
    let name = try validatedPath(path)
    try checked("symlink", path: path) { symlink(target, name) }
    try sync(parent(of: path))
  }

  /// What a symbolic link names; `nil` for anything else.
  package static func linkTarget(_ path: String) -> String? {
    guard let status = try? FileStatus.of(path, followLinks: false), status.kind == .link,
      let target = try? Paths.target(of: path)
    else { return nil }
    return target
  }
}
