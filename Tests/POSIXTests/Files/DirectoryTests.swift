import Foundation
import Glibc
import TestSupport
import Testing

@testable import POSIX

@Suite struct DirectoryTests {
  @Test func foldersAreMadePrivateAndThoseThatExistStay() async throws {
    let folder = try TemporaryFolder()
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
    let folder = try TemporaryFolder()
    let error = failure { () throws(SystemError) in
      try Directory.create(folder.file("a/b"), intermediates: false)
    }
    #expect(error?.isNotFound == true)
  }

  @Test func aFileInTheWayIsAnError() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("", to: "file")
    for path in [path, path + "/below"] {
      let error = failure { () throws(SystemError) in try Directory.create(path) }
      #expect(error?.code == ENOTDIR)
    }
  }

  @Test func entriesAreSortedAndHoldNoDots() throws {
    let folder = try TemporaryFolder()
    for name in ["b", "a", ".hidden", "ä"] { try folder.write("", to: name) }
    #expect(try Directory.entries(folder.path) == [".hidden", "a", "b", "ä"])
    let error = failure { () throws(SystemError) in _ = try Directory.entries(folder.file("x")) }
    #expect(error?.isNotFound == true)
  }

  @Test func aTreeIsRemovedAndLinksInItAreNotFollowed() throws {
    let folder = try TemporaryFolder()
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

  @Test(arguments: [("/a/b", "/a"), ("/a", "/"), ("a", "."), ("a/b/c", "a/b")])
  func theParentOfAPath(path: String, parent: String) {
    #expect(Directory.parent(of: path) == parent)
  }

  @Test func statusTellsKindOwnerAndPrivacy() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("12345", to: "file", mode: 0o640)
    symlink(path, folder.file("link"))
    let status = try FileStatus.of(path)
    #expect(status.kind == .file)
    #expect(status.size == 5)
    #expect(status.modeText == "0640")
    #expect(!status.isPrivate)
    #expect(status.isOwnedByUser)
    #expect(abs(status.modified - SystemClock.now()) < 60)
    #expect(try FileStatus.of(folder.file("link"), followLinks: false).kind == .link)
    #expect(try FileStatus.of(folder.file("link")) == status)
    #expect(FileStatus.exists(path))
    #expect(!FileStatus.exists(path + "x"))
  }
}
