import Foundation
import Glibc
import TestSupport

@testable import POSIX

@Suite struct FileLockTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("lock")
  }

  @Test func theLockFileIsPrivateAndStays() async throws {
    let lock = try await FileLock.acquire(path, timeout: .seconds(600))
    #expect(try FileStatus.of(path).mode == 0o600)
    lock.release()
    #expect(folder.names == ["lock"])
  }

  @Test func onlyOneTaskHoldsItAtATime() async throws {
    let holders = Holders()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask {
          let lock = try await FileLock.acquire(path, timeout: .seconds(600))
          holders.enter()
          await Task.yield()
          holders.leave()
          lock.release()
        }
      }
      try await group.waitForAll()
    }
    #expect(holders.most == 1)
  }

  @Test func aForeignHolderIsWaitedForUntilTheTimeIsUp() async throws {
    let holder = try Holder(of: path)
    for timeout in [Duration.zero, .milliseconds(60)] {
      await #expect(throws: LockError.timedOut) {
        _ = try await FileLock.acquire(path, timeout: timeout)
      }
    }
    async let waiting = take(path)
    holder.release()
    #expect(try await waiting)
  }

  /// Hundreds of processes that wait for seconds must leave the processor to the holder.
  @Test func whoWaitsForLongTriesSeldom() {
    let pauses = [0, 80, 800, 60_000].map { FileLock.pause(after: .milliseconds($0)) }
    #expect(pauses == [5, 10, 100, 500].map { .milliseconds($0) })
  }

  @Test func aKilledHolderHoldsNothing() async throws {
    let holder = try Holder(of: path)
    holder.kill()
    #expect(try await take(path))
  }

  @Test func othersSeeOurLock() async throws {
    let lock = try await FileLock.acquire(path, timeout: .seconds(600))
    let attempt = ["-n", "-E", "77", path, "true"]
    let flock = try #require(Spawn.find("flock"))
    #expect(try await Spawn.run(flock, attempt).status == .exited(77))
    lock.release()
    #expect(try await Spawn.run(flock, attempt).status == .exited(0))
  }

  @Test func aCancelledTaskStopsWaiting() async throws {
    let lock = try await FileLock.acquire(path, timeout: .seconds(600))
    let task = Task {
      await failure { () async throws(LockError) in
        _ = try await FileLock.acquire(path, timeout: .seconds(600))
      }
    }
    task.cancel()
    #expect(await task.value == .cancelled)
    lock.release()
  }

  @Test func aCopyOfTheDescriptorHoldsNothing() async throws {
    let lock = try await FileLock.acquire(path, timeout: .seconds(600))
    let copy = dup(lock.file.number)
    lock.release()
    #expect(try await take(path))
    close(copy)
  }

  @Test func aRemovedLockFileIsMadeAnew() async throws {
    let first = try await FileLock.acquire(path, timeout: .seconds(600))
    unlink(path)
    #expect(try await take(path))
    #expect(folder.names == ["lock"])
    first.release()
  }

  @Test func anotherFileUnderTheSameNameIsNotTheOneThatIsOpen() throws {
    let path = try folder.write("", to: "lock")
    let file = try FileDescriptor.open(path)
    let number = file.number
    #expect(try FileLock.isStill(number, at: path))
    unlink(path)
    #expect(try !FileLock.isStill(number, at: path))
    try folder.write("", to: "lock")
    #expect(try !FileLock.isStill(number, at: path))
    _ = consume file
  }

  @Test(arguments: [false, true])
  func aFileThatWasRemovedBeforeItWasLockedIsNoLock(isMadeAnew: Bool) throws {
    let lock = try FileLock.attempt(path) {
      unlink(path)
      if isMadeAnew { close(open(path, O_CREAT | O_RDWR, 0o600)) }
    }
    // Whoever opens the path now locks another file.
    let isHeld = lock != nil
    #expect(!isHeld)
    let isFree = try FileLock.attempt(path) != nil
    #expect(isFree)
  }

  @Test func aPlaceThatCannotHoldALockIsAnError() async throws {
    try folder.write("", to: "file")
    symlink(folder.file("file"), folder.file("link"))
    for (name, code) in [("file/lock", ENOTDIR), ("link", ELOOP)] {
      let path = folder.file(name)
      await #expect(throws: LockError.system(SystemError("open", path: path, code: code))) {
        _ = try await FileLock.acquire(path, timeout: .seconds(600))
      }
    }
  }

  private func take(_ path: String) async throws -> Bool {
    let lock = try await FileLock.acquire(path, timeout: .seconds(600))
    lock.release()
    return true
  }
}

/// Counts who is inside at the same time.
private final class Holders: Sendable {
  private let state = Mutex((now: 0, most: 0))
  var most: Int { state.withLock { $0.most } }
  func enter() {
    state.withLock { state in
      state.now += 1
      state.most = max(state.most, state.now)
    }
  }
  func leave() { state.withLock { $0.now -= 1 } }
}

/// A process of the system's own `flock` that holds a lock.
private final class Holder {
  private let process: ChildProcess

  init(of path: String) throws {
    process = try ChildProcess("flock", [path, "-c", "echo held; read line"])
    _ = process.read()
  }

  func release() { process.closeInput() }

  /// Ends the shell too, which inherited the lock.
  func kill() {
    process.kill()
    process.closeInput()
  }
}
