import Glibc
import Primitives

/// Reads whole files, never more than a limit.
package enum FileReader {
  /// The content of a file, a pipe or `/dev/stdin`.
  ///
  /// More than `limit` bytes are an error of the kind `tooLarge`.
  package static func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    let file = try FileDescriptor.open(path)
    return try readAll(file.number, path: path, limit: limit)
  }

  /// The content of a document of this program that only its owner may read.
  ///
  /// A link, a foreign owner, or any permission for group or others is the error `isUnsafe`, with
  /// the change that makes the file safe.
  package static func readSecretDocument(
    _ path: String, limit: Int
  ) throws(SystemError) -> [UInt8] {
    try readOwnFile(path, limit: limit, forbidden: 0o077, change: .mode(0o600))
  }

  /// The content of a document of this program that only its owner may change.
  package static func readSharedDocument(
    _ path: String, limit: Int
  ) throws(SystemError) -> [UInt8] {
    try readOwnFile(path, limit: limit, forbidden: 0o022, change: .withoutForeignWriting)
  }

  /// The content of a document that only its owner may change: the user or the administrator.
  package static func readSystemDocument(
    _ path: String, limit: Int
  ) throws(SystemError) -> [UInt8] {
    try readOwnFile(
      path, limit: limit, forbidden: 0o022, change: .withoutForeignWriting, acceptsRoot: true)
  }

  private static func readOwnFile(
    _ path: String, limit: Int, forbidden: UInt32, change: FileProtection.Change,
    acceptsRoot: Bool = false
  ) throws(SystemError) -> [UInt8] {
    // Non-blocking, so that a pipe put in the file's place cannot hold us.
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    let file: FileDescriptor
    do throws(SystemError) {
      file = try FileDescriptor.open(path, flags: flags)
    } catch {
      throw error.code == ELOOP ? unsafe(path, "is a symbolic link") : error
    }
    let status = try FileStatus.of(descriptor: file.number, path: path)
    if status.kind == .directory { throw .isDirectory(path) }
    if status.kind != .file { throw unsafe(path, "is not a regular file") }
    if !status.isOwnedByUser, !acceptsRoot || status.owner != 0 {
      throw unsafe(path, "belongs to user \(status.owner)", change: .owner(geteuid()))
    }
    if status.mode & forbidden != 0 {
      throw unsafe(path, "others may use it (mode \(status.modeText))", change: change)
    }
    return try readAll(file.number, path: path, limit: limit, expecting: Int(clamping: status.size))
  }

  /// Reads to the end; uses no more memory than the expected number of bytes needs.
  static func readAll(
    _ number: Int32, path: String?, limit: Int, expecting expected: Int = 65_536
  ) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let likely = bytes.count < expected ? expected : max(bytes.count, 1024)
      let space = min(limit - bytes.count + 1, likely, 65_536)
      let part = try readSome(number, path: path, count: space)
      if part.isEmpty { return bytes }
      if bytes.count + part.count > limit {
        throw SystemError(
          "read", path: path, code: EFBIG, kind: .tooLarge,
          message: "it is larger than \(limit) bytes")
      }
      bytes += part
    }
  }

  /// The start, and what one call returns of the file behind it: nothing at the end.
  static func readSome(
    _ number: Int32, path: String?, count: Int, after start: [UInt8] = []
  ) throws(SystemError) -> [UInt8] {
    while true {
      var code: Int32 = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: start.count + count) { buffer, filled in
        _ = buffer.update(fromContentsOf: start)
        let got = Glibc.read(number, buffer.baseAddress.map { $0 + start.count }, count)
        if got < 0 { code = errno } else { filled = start.count + got }
      }
      switch code {
      case 0: return bytes
      case EINTR: continue
      case EAGAIN:
        var entries = [Poll.Entry(number, .read)]
        try Poll.wait(&entries, timeout: nil)
      default: throw SystemError("read", path: path, code: code)
      }
    }
  }

  static func unsafe(
    _ path: String, _ message: String, change: FileProtection.Change? = nil
  ) -> SystemError {
    SystemError(
      "open", path: path, code: EPERM, kind: .unsafe, message: message,
      protections: change.map { [FileProtection($0, of: [path])] } ?? [])
  }
}
