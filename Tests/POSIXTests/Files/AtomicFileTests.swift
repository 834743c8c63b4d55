import Foundation
import Glibc
import TestSupport

@testable import POSIX

@Suite struct AtomicFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [(0o022, 0o600), (0o777, 0o600), (0o000, 0o644), (0o077, 0o644)])
  func theModeIsExactWhateverTheUmask(mask: Int, mode: Int) async throws {
    let path = folder.file("document")
    await #expect(processExitsWith: .success) {
      [path = path as String, mask = mask as Int, mode = mode as Int] in
      umask(mode_t(mask))
      try AtomicFile.write(Array("new".utf8), to: path, mode: UInt32(mode))
    }
    let status = try FileStatus.of(path)
    #expect(status.mode == UInt32(mode))
    #expect(try folder.text(of: "document") == "new")
    #expect(folder.names == ["document"])
  }

  @Test func contentIsReplacedWholeAndNothingElseIsLeft() throws {
    let path = try folder.write(String(repeating: "old", count: 1000), to: "document")
    try AtomicFile.write(Array("new".utf8), to: path)
    #expect(try folder.text(of: "document") == "new")
    #expect(folder.names == ["document"])
  }

  @Test func aSymbolicLinkIsRefusedAndItsTargetUntouched() throws {
    try folder.write("target", to: "target")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"), withDestinationPath: folder.file("target"))
    let error = failure(of: try AtomicFile.write([1], to: folder.file("link")))
    #expect(error?.message == "is a symbolic link")
    #expect(error?.isUnsafe == true)
    #expect(try folder.text(of: "target") == "target")
    #expect(folder.names == ["link", "target"])
  }

  @Test func aPipeInPlaceOfADocumentIsRefusedAndStays() throws {
    let path = folder.file("document")
    mkfifo(path, 0o600)
    let error = failure(of: try AtomicFile.write([1], to: path))
    #expect(error?.message == "is not a regular file")
    #expect(error?.isUnsafe == true)
    #expect(try FileStatus.of(path).kind == .pipe)
    #expect(folder.names == ["document"])
  }

  @Test func aDirectoryInItsPlaceStays() throws {
    try Directory.create(folder.file("document"))
    let error = failure(of: try AtomicFile.write([1], to: folder.file("document")))
    #expect(error?.code == EISDIR)
    #expect(folder.names == ["document"])
  }

  @Test func aProofOfRoomLeavesNothingAndNamesTheDirectory() throws {
    let space = try AtomicFile.reserve(100, for: folder.file("document"))
    #expect(folder.names.count == 1)
    space.discard()
    #expect(folder.names.isEmpty)
    let error = failure(of: try AtomicFile.reserve(100, for: folder.file("missing/document")))
    #expect(error?.code == ENOENT)
    #expect(error?.path == folder.file("missing"))
  }

  @Test(arguments: [("missing/document", ENOENT), ("file/document", ENOTDIR), ("a\0b", EINVAL)])
  func aPlaceThatCannotHoldItIsNamed(name: String, code: Int32) throws {
    try folder.write("", to: "file")
    let path = folder.file(name)
    let error = failure(of: try AtomicFile.write([1], to: path))
    #expect(error?.code == code)
    #expect(error?.path == path.replacingOccurrences(of: "\0", with: "\u{FFFD}"))
    #expect(folder.names == ["file"])
  }

  @Test func noRoomLeavesTheOldContentAndNoTemporaryFile() async throws {
    let path = try folder.write("old", to: "document")
    await #expect(processExitsWith: .exitCode(42)) { [path = path as String] in
      ProcessSetup.prepare()
      var limit = rlimit(rlim_cur: 4096, rlim_max: 4096)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      let big = [UInt8](repeating: 1, count: 100_000)
      let error = failure(of: try AtomicFile.write(big, to: path))
      _exit(error?.code == EFBIG && error?.path == path ? 42 : 1)
    }
    #expect(try folder.text(of: "document") == "old")
    #expect(folder.names == ["document"])
  }

  @Test func aKillAtAnyInstantLeavesAWholeDocument() async throws {
    let path = folder.file("document")
    let size = 300_000
    try AtomicFile.write([UInt8](repeating: 0, count: size), to: path)
    var contents: Set<UInt8> = []
    for round in 0..<12 {
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, size = size as Int, round = round as Int] in
        try BackgroundThread.start {
          usleep(UInt32(round) * 1700 + 500)
          kill(getpid(), SIGKILL)
        }
        for value in 1... {
          try AtomicFile.write([UInt8](repeating: UInt8(value % 250), count: size), to: path)
        }
      }
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      #expect(bytes.count == size)
      #expect(Set(bytes).count == 1)
      contents.formUnion(bytes)
    }
    #expect(contents.count > 1, "no writer got anywhere")
  }

  @Test func leftoversOfDeadWritersAreSweptWhenTheyAreOld() throws {
    let old = [FileAttributeKey.modificationDate: Date(timeIntervalSinceNow: -3600)]
    let dead = ".unfinished.999999999.a"
    let alive = ".unfinished.\(getpid()).a"
    // As long as the beginning of a temporary name is what stands before the number.
    let other = "credentials-999999999.json"
    for name in [dead, alive, other] {
      try folder.write("", to: name)
      try FileManager.default.setAttributes(old, ofItemAtPath: folder.file(name))
    }
    try folder.write("", to: ".unfinished.999999999.young")
    try LeftoverFiles.sweep(folder.path)
    #expect(folder.names == [other, alive, ".unfinished.999999999.young"].sorted())
    #expect(LeftoverFiles.name().hasPrefix(".unfinished.\(getpid())."))
  }

  @Test func aFileIsRemovedOnce() throws {
    let path = try folder.write("", to: "document")
    try AtomicFile.remove(path)
    #expect(folder.names == [])
    #expect(failure(of: try AtomicFile.remove(path))?.isNotFound == true)
  }
}
