import Glibc
import POSIX
import Synchronization
import TestSupport
import Testing

@Suite("A thread for tasks")
struct TaskThreadTests {
  @Test("runs a body and its child tasks, all on one thread of their own")
  func oneThread() async {
    let caller = Self.thread()
    let threads = await TaskThread.run(whenIdle: {}) {
      await withTaskGroup(of: [UInt].self) { group in
        for _ in 0..<20 {
          group.addTask {
            let first = Self.thread()
            await Task.yield()
            return [first, Self.thread()]
          }
        }
        return await group.reduce(into: [Self.thread()]) { $0 += $1 }
      }
    }
    #expect(threads.count == 41)
    #expect(Set(threads).count == 1)
    #expect(!threads.contains(caller))
  }

  @Test("goes on there after a wait for something else")
  func afterWait() async throws {
    let threads = await TaskThread.run(whenIdle: {}) {
      let first = Self.thread()
      let other = await Task.detached { Self.thread() }.value
      let elsewhere = try? await BackgroundThread.run { () throws(SystemError) in Self.thread() }
      return [first, Self.thread(), other, elsewhere]
    }
    #expect(threads[0] == threads[1])
    #expect(threads[2] != threads[0] && threads[3] != threads[0] && threads[3] != nil)
  }

  @Test("is idle before it waits, and not while a task can go on")
  func idle() async {
    let work = Mutex(0)
    let idle = Mutex<[Int]>([])
    let gate = OneShot<Bool>()
    await TaskThread.run(whenIdle: {
      idle.withLock { $0.append(work.withLock { $0 }) }
      gate.set(true)
    }) {
      for _ in 0..<100 {
        await Task.yield()
        work.withLock { $0 += 1 }
      }
      #expect(idle.withLock { $0.isEmpty || $0 == [0] })
      await gate.wait()
      while idle.withLock({ $0.last != 100 }) { _ = await Task.detached { sched_yield() }.value }
    }
    #expect(idle.withLock { $0.last } == 100)
  }

  private static func thread() -> UInt { UInt(pthread_self()) }
}
