import Foundation
import Glibc
import TestSupport

@testable import POSIX

@Suite struct DirectoryTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func foldersAreMadePrivateAndThoseThatExistStay() async throws {
    let path = folder.file("a/b/c")
    await #expect(processExitsWith: .success) { [path = path as String] in
      umask(0o777)
      try Directory.create(path)
      try Directory.create(path)
    }
    for name in ["a", "a/b", "a/b/c"] {
      let status = try FileStatus.of(folder.file(name))
      #expect(status.mode == 0o700)
      #expect(status.kind == .directory)
    }
    chmod(folder.path, 0o755)
    try Directory.create(folder.path)
    #expect(try FileStatus.of(folder.path).mode == 0o755)
  }

  @Test func withoutIntermediatesAMissingParentIsAnError() throws {
    let error = failure(of: try Directory.create(folder.file("a/b"), intermediates: false))
    #expect(error?.isNotFound == true)
  }

  @Test func aFileInTheWayIsAnError() throws {
    let path = try folder.write("", to: "file")
    for path in [path, path + "/below"] {
      let error = failure(of: try Directory.create(path))
      #expect(error?.code == ENOTDIR)
    }
    for name in ["old", "empty"] { try Directory.create(folder.file(name)) }
    let error = failure(of: try Directory.rename(folder.file("old"), to: folder.file("empty")))
    #expect(error?.code == EEXIST)
  }

  @Test func entriesAreSortedAndHoldNoDots() throws {
    for name in ["b", "a", ".hidden", "ä"] { try folder.write("", to: name) }
    #expect(try Directory.entries(folder.path) == [".hidden", "a", "b", "ä"])
    let error = failure(of: try Directory.entries(folder.file("x")))
    #expect(error?.isNotFound == true)
    let stream = try #require(opendir(folder.path))
    defer { closedir(stream) }
    // Something else takes the place of the directory.
    let other = try FileDescriptor.open("/dev/null")
    dup2(other.number, dirfd(stream))
    #expect(failure(of: try Directory.names(in: stream, path: "x"))?.code == ENOTDIR)
  }

  @Test func aTreeIsRemovedAndLinksInItAreNotFollowed() throws {
    try Directory.create(folder.file("tree/deep/er"))
    try Directory.create(folder.file("outside"))
    try folder.write("kept", to: "outside/file")
    try folder.write("", to: "tree/deep/file")
    symlink(folder.file("outside"), folder.file("tree/deep/link"))
    symlink(folder.file("outside"), folder.file("link"))
    try Directory.remove(tree: folder.file("tree"))
    try Directory.remove(tree: folder.file("link"))
    try Directory.remove(tree: folder.file("never was"))
    #expect(folder.names == ["outside"])
    #expect(try folder.text(of: "outside/file") == "kept")
  }

  @Test func aNameThatIsNotUTF8IsRemovedWithItsTree() throws {
    try Directory.create(folder.file("tree"))
    let bytes = Array((folder.path + "/tree/").utf8)
    // One is a file; one is a directory with a file in it, whose name would be repaired as well.
    let file = bytes + [0xFF]
    let inner = bytes + [0xFE]
    #expect(close(open(Directory.FileName(bytes: file).cString, O_CREAT | O_WRONLY, 0o600)) == 0)
    #expect(mkdir(Directory.FileName(bytes: inner).cString, 0o700) == 0)
    let secret = inner + Array("/a".utf8) + [0xC3]
    #expect(close(open(Directory.FileName(bytes: secret).cString, O_CREAT | O_WRONLY, 0o600)) == 0)
    #expect(try Directory.entries(folder.file("tree")) == [])
    try Directory.remove(tree: folder.file("tree"))
    #expect(folder.names == [])
  }

  @Test func whatCannotBeRemovedIsNeverTakenForGone() throws {
    try folder.write("", to: "file")
    for path in [folder.file("file/below"), "/proc/self/fd"] {
      #expect(failure(of: try Directory.remove(tree: path)) != nil)
    }
    try Directory.remove(tree: folder.file("missing/below"))
  }

  @Test(.enabled(if: geteuid() == 0))
  func whatBelongsToAnotherUserIsNeitherTakenForAbandonedNorRemoved() async throws {
    // Process 1, of root, is there.
    let path = try folder.write("", to: ".unfinished.1.a")
    utimes(path, [timeval(), timeval()])
    chmod(folder.path, 0o755)
    await #expect(processExitsWith: .exitCode(EACCES)) { [path = path as String] in
      setuid(65_534)
      let isAbandoned = LeftoverFiles.isAbandoned(path)
      _exit(isAbandoned ? 1 : failure(of: try Directory.remove(tree: path))?.code ?? 2)
    }
  }

  @Test(arguments: [("/a/b", "/a"), ("/a", "/"), ("a", "."), ("a/b/c", "a/b")])
  func theParentOfAPath(path: String, parent: String) throws {
    #expect(Directory.parent(of: path) == parent)
    #expect(try Paths.absolute("") == "")
  }

  @Test func statusTellsKindOwnerAndPrivacy() throws {
    let path = try folder.write("12345", to: "file", mode: 0o640)
    symlink(path, folder.file("link"))
    let status = try FileStatus.of(path)
    #expect(status.kind == .file)
    #expect(status.size == 5)
    #expect(status.modeText == "0640")
    #expect(!status.isPrivate)
    #expect(status.isOwnedByUser)
    #expect(abs(status.modified.seconds(since: SystemClock.now())) < 60)
    #expect(try FileStatus.of(folder.file("link"), followLinks: false).kind == .link)
    #expect(try FileStatus.of(folder.file("link")) == status)
    #expect(FileStatus.exists(path))
    #expect(!FileStatus.exists(path + "x"))
  }
}
