import Glibc
import TestSupport

@testable import POSIX

@Suite("Table of locks")
struct LockTableTests {
  @Test("names this process while it holds a lock, and nobody before and after")
  func holder() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.lock")
    #expect(LockTable.current().holder(of: path) == nil)
    let lock = try await FileLock.acquire(path, timeout: .seconds(1))
    let holder = LockTable.current().holder(of: path)
    #expect(holder?.process == getpid())
    #expect(holder?.isStopped == false)
    #expect(holder?.name?.isEmpty == false)
    try folder.write("", to: "b.lock")
    #expect(LockTable.current().holder(of: folder.file("b.lock")) == nil)
    lock.release()
    #expect(LockTable.current().holder(of: path) == nil)
  }

  @Test("passes over who waits, other kinds of locks, and lines that it does not know")
  func lines() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("", to: "a.lock")
    let number = try FileStatus.of(path).inode
    let file = try FileDescriptor.open(path)
    for (line, isHeld) in [
      ("1: FLOCK  ADVISORY  WRITE \(getpid()) 00:2f:\(number) 0 EOF", true),
      ("1: -> FLOCK  ADVISORY  WRITE \(getpid()) 00:2f:\(number) 0 EOF", false),
      ("1: POSIX  ADVISORY  WRITE \(getpid()) 00:2f:\(number) 0 EOF", false),
      ("1: FLOCK  ADVISORY  WRITE \(getpid()) 00:2f:\(number + 1) 0 EOF", false),
      // A process that does not have the file open has a lock of another file with that number.
      ("1: FLOCK  ADVISORY  WRITE 1 00:2f:\(number) 0 EOF", false),
      ("1: FLOCK  ADVISORY  WRITE -1 00:2f:\(number) 0 EOF", false),
      ("1: FLOCK", false), ("", false),
    ] {
      #expect((LockTable(line).holder(of: path) != nil) == isHeld, "\(line)")
    }
    withExtendedLifetime(file.number) {}
  }

  @Test(
    "knows a stopped process, whatever its name is",
    arguments: [
      ("7 (sleep) T 1 7", true), ("7 (a) T) S 1 7", false), ("7 (sleep) S 1 7", false),
      ("7 (a b) t 1", true), ("", false), ("7 (x)", false),
    ])
  func stopped(status: String, isStopped: Bool) {
    #expect(LockTable.isStopped(status) == isStopped)
  }
}
