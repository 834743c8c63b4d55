import Glibc
import TestSupport

@testable import POSIX

@Suite("Secrets that a person names") struct SecretReaderTests {
  private static func exposure(of path: String) throws -> SystemError? {
    try FileReader.readSecret(path, limit: 100).exposure
  }

  @Test("are read from a file that nobody else can use", arguments: [0o600, 0o400, 0o700])
  func privateFile(mode: Int) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("secret", to: "file", mode: mode)
    let content = try FileReader.readSecret(path, limit: 6)
    #expect(content.bytes == Array("secret".utf8))
    #expect(content.exposure == nil)
    #expect(
      failure { () throws(SystemError) in _ = try FileReader.readSecret(path, limit: 5) }?.kind
        == .tooLarge)
  }

  @Test(
    "are exposed in a file that others can read or change, with the remedy",
    arguments: [
      (0o640, "read it (mode 0640)"), (0o604, "read it (mode 0604)"),
      (0o620, "change it (mode 0620)"), (0o602, "change it (mode 0602)"),
      (0o666, "change it (mode 0666)"),
    ])
  func exposed(mode: Int, cause: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("secret", to: "it's mine", mode: mode)
    let error = try Self.exposure(of: path)
    #expect(error?.isUnsafe == true)
    #expect(error?.message == "others may \(cause)")
    #expect(error?.protections == [FileProtection(.mode(0o600), of: [path])])
  }

  /// Owner, mode, whether the file system is read-only, and what is wrong for user 1000.
  struct Row: Sendable, CustomTestStringConvertible {
    let owner: UInt32
    let mode: Int
    let isReadOnly: Bool
    var cause: String?
    var change: FileProtection.Change?
    var testDescription: String { "\(owner) \(String(mode, radix: 8)) \(isReadOnly)" }
  }

  static let rows: [Row] = [
    // /run/secrets and projected tokens: they are root's, or on a mount that is read-only.
    Row(owner: 0, mode: 0o444, isReadOnly: false),
    Row(owner: 0, mode: 0o644, isReadOnly: true),
    Row(owner: 1000, mode: 0o644, isReadOnly: true),
    Row(owner: 1000, mode: 0o600, isReadOnly: false),
    Row(
      owner: 1000, mode: 0o644, isReadOnly: false, cause: "others may read it (mode 0644)",
      change: .mode(0o600)),
    Row(
      owner: 1000, mode: 0o622, isReadOnly: false, cause: "others may change it (mode 0622)",
      change: .mode(0o600)),
    Row(owner: 1000, mode: 0o666, isReadOnly: true, cause: "others may change it (mode 0666)"),
    Row(owner: 0, mode: 0o664, isReadOnly: false, cause: "others may change it (mode 0664)"),
    Row(owner: 1001, mode: 0o600, isReadOnly: false, cause: "belongs to user 1001"),
    Row(owner: 1001, mode: 0o444, isReadOnly: true, cause: "belongs to user 1001"),
  ]

  @Test("are judged by what the user could do about it", arguments: rows)
  func judgement(row: Row) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("secret", to: "file", mode: row.mode)
    let status = try FileStatus.of(path).owned(by: row.owner)
    let exposure = status.exposure(isReadOnly: row.isReadOnly, to: 1000)
    #expect(exposure?.cause == row.cause)
    #expect(exposure?.change == row.change)
  }

  @Test("are read through links of the user, as Kubernetes makes them")
  func links() throws {
    let folder = try TemporaryFolder()
    try folder.write("secret", to: "..2027_01_15/token")
    #expect(symlink("..2027_01_15", folder.file("..data")) == 0)
    #expect(symlink("..data/token", folder.file("token")) == 0)
    // As the directory of the mount is.
    #expect(chmod(folder.path, 0o1777) == 0)
    let content = try FileReader.readSecret(folder.file("token"), limit: 100)
    #expect(content.bytes == Array("secret".utf8))
    #expect(content.exposure == nil)
    // The target is judged, not the link.
    try folder.setMode(0o644, of: "..2027_01_15/token")
    #expect(
      try Self.exposure(of: folder.file("token"))?.message == "others may read it (mode 0644)")
  }

  @Test("are exposed by a link that others can replace, wherever it is in the path")
  func linkOfOthers() throws {
    let folder = try TemporaryFolder()
    try folder.write("secret", to: "real/file")
    try folder.write("", to: "open/nothing")
    #expect(symlink("../real", folder.file("open/link")) == 0)
    let path = folder.file("open/link/file")
    #expect(try Self.exposure(of: path) == nil)
    #expect(chmod(folder.file("open"), 0o777) == 0)
    #expect(
      try Self.exposure(of: path)?.message
        == "another user can change the symbolic link '\(folder.file("open/link"))'")
    // Others can make links in such a directory, but not replace this one.
    #expect(chmod(folder.file("open"), 0o1777) == 0)
    #expect(try Self.exposure(of: path) == nil)
    guard lchown(folder.file("open/link"), 12345, 12345) == 0 else { return }
    #expect(try Self.exposure(of: path) != nil)
  }

  @Test("are not looked for in a circle of links")
  func circle() throws {
    let folder = try TemporaryFolder()
    #expect(symlink("b", folder.file("a")) == 0)
    #expect(symlink("a", folder.file("b")) == 0)
    #expect(
      failure { () throws(SystemError) in
        _ = try FileReader.readSecret(folder.file("a"), limit: 1)
      }?.code == ELOOP)
  }

  @Test("are read from a pipe, whose writer may come late")
  func pipe() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    let started = OneShot<Bool>()
    async let bytes = BackgroundThread.run { () throws(SystemError) in
      started.set(true)
      return try FileReader.readSecret(path, limit: 100).bytes
    }
    await started.wait()
    try await BackgroundThread.run { () throws(SystemError) in
      let writer = try FileDescriptor.open(path, .write)
      try writer.write(Array("through a pipe".utf8))
      try writer.close()
    }
    #expect(try await bytes == Array("through a pipe".utf8))
  }

  @Test("are read from a descriptor of this process, as the shell's <(…)")
  func descriptor() throws {
    var ends: [Int32] = [0, 0]
    #expect(Glibc.pipe(&ends) == 0)
    defer { close(ends[0]) }
    #expect(write(ends[1], "word", 4) == 4)
    close(ends[1])
    let content = try FileReader.readSecret("/dev/fd/\(ends[0])", limit: 100)
    #expect(content.bytes == Array("word".utf8))
    #expect(content.exposure == nil)
  }

  @Test("are not waited for at a pipe that others can write to")
  func openPipe() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    #expect(chmod(path, 0o622) == 0)
    let error = failure { () throws(SystemError) in
      _ = try FileReader.readSecret(path, limit: 100)
    }
    #expect(error?.message == "others may change it (mode 0622)")
  }

  @Test("are not read from a device or a directory")
  func device() throws {
    let device = failure { () throws(SystemError) in
      _ = try FileReader.readSecret("/dev/full", limit: 100)
    }
    #expect(device?.isUnsafe == true)
    let folder = try TemporaryFolder()
    let directory = failure { () throws(SystemError) in
      _ = try FileReader.readSecret(folder.path, limit: 100)
    }
    #expect(directory?.code == EISDIR)
  }
}

extension FileStatus {
  fileprivate func owned(by owner: UInt32) -> FileStatus {
    var raw = stat()
    raw.st_mode = S_IFREG | mode
    raw.st_uid = owner
    return FileStatus(raw)
  }
}
