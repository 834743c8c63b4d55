import Glibc

/// Paths as text.
package enum Paths {
  /// A path from the root, seen from the current directory; links are not resolved.
  package static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), !path.isEmpty else { return path }
    let current = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
      getcwd(buffer.baseAddress, buffer.count) == nil
        ? nil : buffer.baseAddress.map { String(cString: $0) }
    }
    return current.map { "\($0)/\(path)" } ?? path
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
