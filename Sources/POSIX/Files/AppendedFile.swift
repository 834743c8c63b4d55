import Glibc

/// Files that several processes add lines to.
package enum AppendedFile {
  /// Adds bytes to the end of a file; a new file can be read by its owner only.
  ///
  /// A symbolic link at the path is refused. The bytes of one call stay together.
  package static func append(_ bytes: [UInt8], to path: String) throws(SystemError) {
    let file = try FileDescriptor.open(
      path, flags: O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NOCTTY, mode: 0o600)
    do throws(SystemError) { try file.write(bytes) } catch { throw error.about(path) }
  }
}
