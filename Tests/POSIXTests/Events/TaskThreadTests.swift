import Dispatch
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
    let threads = await TaskThread.run(whenIdle: { nil }) {
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
    let threads = await TaskThread.run(whenIdle: { nil }) {
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
      return nil
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

  @Test("calls the closure again after the time that it returned", arguments: [false, true])
  func idleAgain(hasCompanion: Bool) async {
    let calls = Atomic(0)
    let gate = OneShot<Bool>()
    await TaskThread.run(whenIdle: {
      if calls.add(1, ordering: .relaxed).newValue < 5 { return .milliseconds(1) }
      gate.set(true)
      return nil
    }) {
      if hasCompanion { #expect(TaskThread.current?.accompany(Companion()) == true) }
      await gate.wait()
    }
    #expect(calls.load(ordering: .relaxed) >= 5)
  }

  @Test("begins there, before the first wait")
  func begins() async {
    let threads = await TaskThread.run(whenIdle: { nil }) { [Self.thread()] + (await Self.after()) }
    #expect(Set(threads).count == 1)
  }

  private static func after() async -> [UInt] {
    await Task.yield()
    return [thread()]
  }

  @Test("lets one companion go on while its tasks wait, and is woken through it")
  func companion() async {
    let companion = Companion()
    let current = await TaskThread.run(whenIdle: { nil }) {
      let isAccepted = TaskThread.current?.accompany(companion) ?? false
      let isSecondAccepted = TaskThread.current?.accompany(Companion()) ?? true
      let before = companion.steps
      await Task.detached { while companion.steps == before { sched_yield() } }.value
      return (isAccepted, isSecondAccepted, Self.thread())
    }
    #expect(current.0 && !current.1)
    #expect(companion.threads == [current.2])
    // It is told that the thread ends.
    while !companion.hasLeft { await Task.yield() }
    #expect(TaskThread.current == nil)
  }

  @Test("goes on without a companion that has ended")
  func endedCompanion() async {
    let companion = Companion(steps: 1)
    await TaskThread.run(whenIdle: { nil }) {
      #expect(TaskThread.current?.accompany(companion) == true)
      for _ in 0..<3 { _ = await Task.detached { sched_yield() }.value }
      #expect(TaskThread.current?.accompany(Companion()) == true)
    }
    #expect(companion.steps == 1)
    #expect(!companion.hasLeft)
  }

  private static func thread() -> UInt { UInt(pthread_self()) }
}

/// Counts what it is asked to do, and waits for a signal.
private final class Companion: TaskThreadCompanion {
  private struct State {
    var steps = 0
    var threads: Set<UInt> = []
    var hasLeft = false
  }

  private let state = Mutex(State())
  private let limit: Int?
  private let wakeup = DispatchSemaphore(value: 0)

  /// Ends after that number of steps.
  init(steps limit: Int? = nil) { self.limit = limit }

  var steps: Int { state.withLock { $0.steps } }
  var threads: Set<UInt> { state.withLock { $0.threads } }
  var hasLeft: Bool { state.withLock { $0.hasLeft } }

  func proceed() -> Bool {
    state.withLock { state in
      state.steps += 1
      state.threads.insert(UInt(pthread_self()))
      return state.steps != limit
    }
  }

  func wait(atMost time: Duration?) {
    guard let time else { return wakeup.wait() }
    _ = wakeup.wait(timeout: .now() + .nanoseconds(Int(time / .nanoseconds(1))))
  }

  func wakeUp() { wakeup.signal() }

  func leave() { state.withLock { $0.hasLeft = true } }
}
