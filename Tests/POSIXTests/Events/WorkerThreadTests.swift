import Glibc
import POSIX
import Synchronization
import Testing

@Suite("A worker thread")
struct WorkerThreadTests {
  @Test("has ended when join returns")
  func join() async throws {
    let ended = OneShot<Void>()
    try await BackgroundThread.run { () throws(SystemError) in
      try WorkerThread { ended.set(()) }.join()
    }
    #expect(ended.value != nil)
  }

  @Test("does not wait for itself")
  func joinItself() async throws {
    let thread = OneShot<WorkerThread>()
    let ended = OneShot<Void>()
    thread.set(
      try WorkerThread {
        while thread.value == nil { sched_yield() }
        thread.value?.join()
        ended.set(())
      })
    #expect(await ended.wait(timeout: .seconds(60)) != nil)
  }

  @Test("continues without its owner")
  func detached() async throws {
    let ended = OneShot<Void>()
    _ = try WorkerThread { ended.set(()) }
    #expect(await ended.wait(timeout: .seconds(60)) != nil)
  }

  @Test("blocks all signals, and does not change those of its creator")
  func signals() async throws {
    let blocked = OneShot<[Bool]>()
    let before = Self.blocked()
    _ = try WorkerThread { blocked.set(Self.blocked()) }
    #expect(Self.blocked() == before)
    #expect(await blocked.wait(timeout: .seconds(60)) == [true, true, true])
  }

  private static func blocked() -> [Bool] {
    var mask = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &mask)
    return [SIGINT, SIGTERM, SIGHUP].map { sigismember(&mask, $0) == 1 }
  }
}
