import Foundation
import Glibc
import TestSupport

@testable import POSIX

@Suite struct StagedFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let named = FilePolicy.named(newMode: 0o600)

  @Test func anOldFileStaysUntilTheNewOneIsComplete() throws {
    let path = try folder.write("old", to: "file")
    do {
      let file = try StagedFile(path, Self.named)
      try file.write(Array("new".utf8))
      #expect(file.isReplacing)
      #expect(try folder.text(of: "file") == "old")
    }
    #expect(folder.names == ["file"])
    try AtomicFile.write(Array("new".utf8), to: path, Self.named)
    #expect(try folder.text(of: "file") == "new")
    #expect(folder.names == ["file"])
  }

  @Test func withoutReplacingAFileThatWasMadeMeanwhileStays() throws {
    let file = try StagedFile(folder.file("file"), Self.named)
    try file.write(Array("new".utf8))
    try folder.write("made meanwhile", to: "file")
    #expect(throws: SystemError.self) { try file.commit(replacing: false) }
    file.discard()
    #expect(try folder.text(of: "file") == "made meanwhile")
    let other = try StagedFile(folder.file("other"), Self.named)
    try other.write(Array("new".utf8))
    try other.commit(replacing: false)
    #expect(try folder.text(of: "other") == "new")
    #expect(folder.names == ["file", "other"])
  }

  @Test(arguments: [0o644, 0o640, 0o666, 0o600, 0o755])
  func anExistingFileKeepsItsModeAndANewOneGetsThatOfThePolicy(mode: Int) throws {
    let path = try folder.write("old", to: "file", mode: mode)
    try AtomicFile.write([], to: path, Self.named)
    #expect(try FileStatus.of(path).mode == UInt32(mode))
    try AtomicFile.write([], to: folder.file("new"), .named(newMode: UInt32(mode)))
    #expect(try FileStatus.of(folder.file("new")).mode == UInt32(mode))
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
  func aFileOfAnotherUserStaysTheirs() throws {
    let path = try folder.write("old", to: "file", mode: 0o640)
    #expect(chown(path, 12345, 54321) == 0)
    try AtomicFile.write([], to: path, Self.named)
    let status = try FileStatus.of(path)
    #expect(status.owner == 12345)
    #expect(status.group == 54321)
    #expect(status.mode == 0o640)
  }

  @Test(arguments: ["target", "./folder/../target", "FOLDER/target", "link-to-target"])
  func aLinkIsFollowedAndStays(target: String) throws {
    let place = target.replacingOccurrences(of: "FOLDER", with: folder.path)
    try Directory.create(folder.file("folder"))
    symlink("target", folder.file("link-to-target"))
    symlink(place, folder.file("link"))
    // At first the links lead to nothing.
    for text in ["first", "second"] {
      try AtomicFile.write(Array(text.utf8), to: folder.file("link"), Self.named)
      #expect(try folder.text(of: "target") == text)
      #expect(try FileStatus.of(folder.file("link"), followLinks: false).kind == .link)
      #expect(try FileStatus.of(folder.file("target"), followLinks: false).kind == .file)
    }
    #expect(folder.names == ["folder", "link", "link-to-target", "target"])
  }

  @Test func linksInACircleAreAnError() throws {
    symlink("b", folder.file("a"))
    symlink("a", folder.file("b"))
    let error = failure(of: try StagedFile(folder.file("a"), Self.named))
    #expect(error?.code == ELOOP)
    #expect(folder.names == ["a", "b"])
  }

  @Test func aPipeIsWrittenToAndNotReplaced() async throws {
    let path = folder.file("pipe")
    mkfifo(path, 0o600)
    symlink("pipe", folder.file("link"))
    for name in ["pipe", "link"] {
      // Open for reading too, so that nobody waits for anybody.
      let reader = try FileDescriptor.open(path, .readWrite)
      let file = try StagedFile(folder.file(name), Self.named)
      #expect(!file.isReplacing)
      try file.write(Array("through".utf8))
      try file.commit()
      #expect(try reader.read(upTo: 100) == Array("through".utf8))
    }
    #expect(try FileStatus.of(path, followLinks: false).kind == .pipe)
    #expect(folder.names == ["link", "pipe"])
  }

  @Test func aDeviceIsWrittenToAndNotReplaced() throws {
    symlink("/dev/null", folder.file("link"))
    for path in ["/dev/null", folder.file("link")] {
      try AtomicFile.write([1, 2, 3], to: path, Self.named)
    }
    #expect(try FileStatus.of("/dev/null", followLinks: false).kind == .device)
    #expect(try FileStatus.of(folder.file("link"), followLinks: false).kind == .link)
  }

  /// `/dev/stdout` leads to a regular file where a shell redirects it: what stands there stays.
  @Test(
    arguments: ["/dev/fd/", "/proc/self/fd/", "link to /proc/self/fd/"],
    [FilePolicy.named(newMode: 0o600), .secret(newMode: 0o600)])
  func anOpenDescriptorIsWrittenToWhereItStands(prefix: String, policy: FilePolicy) throws {
    let path = folder.file("output")
    let number = open(path, O_CREAT | O_WRONLY, 0o600)
    #expect(write(number, "before ", 7) == 7)
    var name = "\(prefix)\(number)"
    if prefix.hasPrefix("link") {
      symlink("/proc/self/fd/\(number)", folder.file("stdout"))
      name = folder.file("stdout")
    }
    let inode = try FileStatus.of(path).inode
    try AtomicFile.write(Array("after".utf8), to: name, policy)
    close(number)
    #expect(try folder.text(of: "output") == "before after")
    #expect(try FileStatus.of(path).inode == inode)
  }

  @Test func aFileThatTheUserMayNotWriteIsNotReplaced() async throws {
    let path = try folder.write("old", to: "file", mode: 0o444)
    chmod(folder.path, 0o777)
    await #expect(processExitsWith: .exitCode(42)) { [path = path as String] in
      if geteuid() == 0 { seteuid(65534) }
      let error = failure(of: try StagedFile(path, .named(newMode: 0o600)))
      _exit(error?.code == EACCES ? 42 : 1)
    }
    #expect(try folder.text(of: "file") == "old")
  }

  @Test func aDirectoryIsRefused() throws {
    symlink(".", folder.file("link"))
    for path in [folder.path, folder.file("link")] {
      let error = failure(of: try StagedFile(path, Self.named))
      #expect(error?.code == EISDIR)
      #expect(error?.path == path)
    }
  }
}
