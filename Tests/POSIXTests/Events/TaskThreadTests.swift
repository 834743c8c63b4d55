import Dispatch
import Glibc
import TestSupport

@Suite("A thread for tasks")
struct TaskThreadTests {
  @Test("runs a body and its child tasks, all on one thread of their own")
  func oneThread() async {
    let caller = Self.thread()
    let threads = await TaskThread.run {
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
    let threads = await TaskThread.run {
      let first = Self.thread()
      let other = await Task.detached { Self.thread() }.value
      let elsewhere = try? await BackgroundThread.run { () throws(SystemError) in Self.thread() }
      return [first, Self.thread(), other, elsewhere]
    }
    #expect(threads[0] == threads[1])
    #expect(threads[2] != threads[0] && threads[3] != threads[0] && threads[3] != nil)
  }

  @Test("begins there, before the first wait")
  func begins() async {
    let threads = await TaskThread.run { [Self.thread()] + (await Self.after()) }
    #expect(Set(threads).count == 1)
  }

  private static func after() async -> [UInt] {
    await Task.yield()
    return [thread()]
  }

  @Test("lets one companion go on while its tasks wait, and is woken through it")
  func companion() async {
    let companion = Companion()
    let current = await TaskThread.run {
      let isAccepted = TaskThread.current?.accompany(companion) ?? false
      let isSecondAccepted = TaskThread.current?.accompany(Companion()) ?? true
      // What it does may let a task go on, for which nobody waits then.
      await companion.firstStep.wait()
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
    await TaskThread.run {
      #expect(TaskThread.current?.accompany(companion) == true)
      for _ in 0..<3 { _ = await Task.detached { sched_yield() }.value }
      #expect(TaskThread.current?.accompany(Companion()) == true)
    }
    #expect(companion.steps == 1)
    #expect(!companion.hasLeft)
    let ended = await TaskThread.run { TaskThread.current }
    #expect(ended?.accompany(Companion()) == false)
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

  let firstStep = OneShot<Void>()
  private let state = Mutex(State())
  private let limit: Int?
  private let wakeup = DispatchSemaphore(value: 0)

  /// Ends after that number of steps.
  init(steps limit: Int? = nil) { self.limit = limit }

  var steps: Int { state.withLock { $0.steps } }
  var threads: Set<UInt> { state.withLock { $0.threads } }
  var hasLeft: Bool { state.withLock { $0.hasLeft } }

  func proceed() -> Bool {
    firstStep.set(())
    return state.withLock { state in
      state.steps += 1
      state.threads.insert(UInt(pthread_self()))
      return state.steps != limit
    }
  }

  func wait() { wakeup.wait() }

  func wakeUp() { wakeup.signal() }

  func leave() { state.withLock { $0.hasLeft = true } }
}
