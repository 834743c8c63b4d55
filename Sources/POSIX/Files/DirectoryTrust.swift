import Glibc
import Primitives

/// What the directories of a file must be, so that no other user can read or replace it.
package enum DirectoryTrust: Sendable, Hashable {
  /// For secrets: no permission for group or others.
  case secret
  /// For what may be read by all: only its owner may change it.
  case shared
  /// For what the administrator may change too.
  case system

  /// Refuses directories that belong to another user, or that others may use.
  ///
  /// Takes directories with what each must be, the outermost first; those that do not exist are
  /// passed over. The error has `isUnsafe`, and the changes that make all of the directories safe.
  package static func require(_ levels: [(String, DirectoryTrust)]) throws(SystemError) {
    var (foreign, loose, cause): ([String], [String], String?) = ([], [], nil)
    var isSecret = false
    for (path, trust) in levels {
      // The error of opening the file says why its status cannot be read.
      guard let status = try? FileStatus.of(path), status.kind == .directory else { continue }
      // Others can add files to it, but cannot remove ours.
      if trust != .secret, status.isSticky, status.isOwnedByUser || status.owner == 0 { continue }
      if !status.isOwnedByUser, trust != .system || status.owner != 0 {
        foreign.append(path)
        cause = cause ?? "its directory '\(path)' belongs to user \(status.owner)"
      }
      if status.mode & trust.forbidden != 0 {
        loose.append(path)
        isSecret = isSecret || trust == .secret
        cause =
          cause ?? "others may \(trust.verb) its directory '\(path)' (mode \(status.modeText))"
      }
    }
    guard let cause else { return }
    let protections = [
      FileProtection(.owner(geteuid()), of: foreign),
      FileProtection(isSecret ? .mode(0o700) : .withoutForeignWriting, of: loose),
    ]
    throw SystemError(
      "open", code: EPERM, kind: .unsafe, message: cause,
      protections: protections.filter { !$0.paths.isEmpty })
  }

  private var forbidden: UInt32 { self == .secret ? 0o077 : 0o022 }
  private var verb: String { self == .secret ? "use" : "change" }
}
