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
  }

  @Test func entriesAreSortedAndHoldNoDots() throws {
    for name in ["b", "a", ".hidden", "ä"] { try folder.write("", to: name) }
    #expect(try Directory.entries(folder.path) == [".hidden", "a", "b", "ä"])
    let error = failure(of: try Directory.entries(folder.file("x")))
    #expect(error?.isNotFound == true)
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
    #expect(close(open(Self.cString(file), O_CREAT | O_WRONLY, 0o600)) == 0)
    #expect(mkdir(Self.cString(inner), 0o700) == 0)
    let secret = inner + Array("/a".utf8) + [0xC3]
    #expect(close(open(Self.cString(secret), O_CREAT | O_WRONLY, 0o600)) == 0)
    #expect(try Directory.entries(folder.file("tree")) == [])
    try Directory.remove(tree: folder.file("tree"))
    #expect(folder.names == [])
  }

  @Test func whatCannotBeRemovedIsNeverTakenForGone() throws {
    try folder.write("", to: "file")
    for (name, code) in [("file/below", ENOTDIR), ("", EISDIR)] {
      let error = failure(
        of: try Directory.remove(tree: name.isEmpty ? "/proc/self/fd" : folder.file(name)))
      #expect(error != nil, "\(code)")
    }
    try Directory.remove(tree: folder.file("missing/below"))
  }

  private static func cString(_ bytes: [UInt8]) -> [CChar] {
    bytes.map { CChar(bitPattern: $0) } + [0]
  }

  @Test(arguments: [("/a/b", "/a"), ("/a", "/"), ("a", "."), ("a/b/c", "a/b")])
  func theParentOfAPath(path: String, parent: String) {
    #expect(Directory.parent(of: path) == parent)
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
