import CPOSIX
import Glibc
package import Primitives

/// A system call that failed.
package struct SystemError: Error, Sendable, Hashable {
  /// What failed: a call of the system, or a rule of this module.
  package enum Kind: Sendable, Hashable {
    case call
    /// A reader met more than the limit that it was given.
    case tooLarge
    /// A file that others could read or replace.
    case unsafe
  }

  package let kind: Kind
  /// The call, such as `open`.
  package let call: String
  package let path: String?
  /// The errno.
  package let code: Int32
  /// The cause in words if the errno does not say it: lower case, no period.
  private let cause: String?
  /// What would make an unsafe file or directory safe; empty if it is not known.
  package let protections: [FileProtection]

  package init(
    _ call: String, path: String? = nil, code: Int32, kind: Kind = .call,
    message: String? = nil, protections: [FileProtection] = []
  ) {
    self.kind = kind
    self.call = call
    self.path = path
    self.code = code
    cause = message
    self.protections = protections
  }

  /// The same failure with another path, which the user knows.
  func about(_ path: String) -> SystemError {
    SystemError(
      call, path: path, code: code, kind: kind, message: cause, protections: protections)
  }

  package var isNotFound: Bool { code == ENOENT || code == ENOTDIR }
  /// A file that this process may not write.
  package var isReadOnly: Bool { code == EROFS || code == EACCES }
  package var isBrokenPipe: Bool { code == EPIPE }
  package var isAddressInUse: Bool { code == EADDRINUSE }
  /// A secret that others could read or replace.
  package var isUnsafe: Bool { kind == .unsafe }

  /// A directory in place of a file that is to be read.
  package static func isDirectory(_ path: String) -> SystemError {
    SystemError("read", path: path, code: EISDIR)
  }

  /// The failure in `errno`.
  static func last(_ call: String, path: String? = nil) -> SystemError {
    SystemError(call, path: path, code: errno)
  }

  /// The cause in words: lower case, no period.
  package var message: String {
    if let cause { return cause }
    let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let found = cposix_error_text(code, buffer.baseAddress, buffer.count) else {
        return "unknown error"
      }
      return String(cString: found)
    }
    return text.uncapitalized
  }
}

extension SystemError: CustomStringConvertible {
  package var description: String {
    path.map { "\(VisibleText.of($0)): \(message)" } ?? message
  }
}

/// Repeats a call while signals interrupt it, and turns -1 into an error.
@discardableResult
func checked<Result: SignedInteger>(
  _ call: String, path: String? = nil, _ body: () -> Result
) throws(SystemError) -> Result {
  while true {
    let result = body()
    if result >= 0 { return result }
    if errno != EINTR { throw .last(call, path: path) }
  }
}

/// Turns the negated errno that the functions of CPOSIX return into an error.
@discardableResult
func checked(_ call: String, path: String? = nil, _ result: Int32) throws(SystemError) -> Int32 {
  if result < 0 { throw SystemError(call, path: path, code: -result) }
  return result
}

/// The path, if it has no NUL byte, at which C would cut it.
func validatedPath(_ path: String) throws(SystemError) -> String {
  if path.utf8.contains(0) {
    throw SystemError(
      "open", path: path.replacingNUL, code: EINVAL, message: "the path contains a NUL byte")
  }
  return path
}

extension String {
  fileprivate var replacingNUL: String { String(map { $0 == "\0" ? "\u{FFFD}" : $0 }) }
}
