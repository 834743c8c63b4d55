import Glibc
import TestSupport

@testable import POSIX

@Suite("Secrets that a person names") struct SecretReaderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func exposure(of path: String) throws -> SystemError? {
    try FileReader.readSecret(path, limit: 100).exposure
  }

  @Test("are read from a file that nobody else can use", arguments: [0o600, 0o400, 0o700])
  func privateFile(mode: Int) throws {
    let path = try folder.write("secret", to: "file", mode: mode)
    let content = try FileReader.readSecret(path, limit: 6)
    #expect(content.bytes == Array("secret".utf8))
    #expect(content.exposure == nil)
    #expect(failure(of: try FileReader.readSecret(path, limit: 5))?.kind == .tooLarge)
  }

  /// Owner, mode, whether the file system is read-only, what is wrong for user 1000, and what mends it.
  typealias Row = (
    owner: UInt32, mode: Int, isReadOnly: Bool, cause: String?, change: FileProtection.Change?
  )

  static let rows: [Row] = [
    // /run/secrets and projected tokens: they are root's, or on a mount that is read-only.
    (0, 0o444, false, nil, nil), (0, 0o644, true, nil, nil), (1000, 0o644, true, nil, nil),
    (1000, 0o600, false, nil, nil),
    (1000, 0o644, false, "others may read it (mode 0644)", .mode(0o600)),
    (1000, 0o640, false, "others may read it (mode 0640)", .mode(0o600)),
    (1000, 0o622, false, "others may change it (mode 0622)", .mode(0o600)),
    (1000, 0o602, false, "others may change it (mode 0602)", .mode(0o600)),
    (1000, 0o666, true, "others may change it (mode 0666)", nil),
    (0, 0o664, false, "others may change it (mode 0664)", nil),
    (1001, 0o600, false, "belongs to user 1001", nil),
    (1001, 0o444, true, "belongs to user 1001", nil),
  ]

  @Test("are judged by what the user could do about it", arguments: rows)
  func judgement(row: Row) throws {
    let path = try folder.write("secret", to: "file", mode: row.mode)
    let status = try FileStatus.of(path).owned(by: row.owner)
    let exposure = status.exposure(isReadOnly: row.isReadOnly, to: 1000)
    #expect(exposure?.cause == row.cause)
    #expect(exposure?.change == row.change)
  }

  @Test("are read through links of the user, as Kubernetes makes them")
  func links() throws {
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
    #expect(try Self.exposure(of: folder.file("token"))?.isUnsafe == true)
  }

  @Test("are exposed by a link that others can replace, wherever it is in the path")
  func linkOfOthers() throws {
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
    #expect(symlink("b", folder.file("a")) == 0)
    #expect(symlink("a", folder.file("b")) == 0)
    #expect(failure(of: try FileReader.readSecret(folder.file("a"), limit: 1))?.code == ELOOP)
  }

  @Test("are read from a pipe, whose writer may come late")
  func pipe() async throws {
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
    let path = folder.file("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    #expect(chmod(path, 0o622) == 0)
    let error = failure(of: try FileReader.readSecret(path, limit: 100))
    #expect(error?.message == "others may change it (mode 0622)")
  }

  @Test("are not read from a device or a directory")
  func device() throws {
    let device = failure(of: try FileReader.readSecret("/dev/full", limit: 100))
    #expect(device?.isUnsafe == true)
    let directory = failure(of: try FileReader.readSecret(folder.path, limit: 100))
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
