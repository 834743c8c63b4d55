import Glibc

/// Paths as text.
package enum Paths {
  /// The absolute form of a path; links are not resolved.
  ///
  /// Fails if the path of the current directory is not UTF-8.
  package static func absolute(_ path: String) throws(SystemError) -> String {
    guard !path.hasPrefix("/"), !path.isEmpty else { return path }
    var code: Int32 = EILSEQ
    let current = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
      guard let start = buffer.baseAddress, getcwd(start, buffer.count) != nil else {
        code = errno
        return String?.none
      }
      return String(validatingCString: start)
    }
    guard let current else {
      throw SystemError(
        "getcwd", path: path, code: code,
        message: "the current directory "
          + (code == EILSEQ ? "has a path that is not UTF-8" : "cannot be found"))
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
    guard count < bytes.count, let text = String(validating: bytes.prefix(count), as: UTF8.self)
    else { throw SystemError("readlink", path: link, code: EILSEQ) }
    return text.utf8.first == UInt8(ascii: "/") ? text : "\(Directory.parent(of: link))/\(text)"
  }

  /// The program that this process runs.
  package static var executable: String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
      guard let start = buffer.baseAddress else { return nil }
      let count = readlink("/proc/self/exe", start, buffer.count - 1)
      guard count > 0 else { return nil }
      buffer[count] = 0
      return String(cString: start)
    }
  }
}
