import CPOSIX
import Glibc
import Synchronization

/// What a thread does besides its tasks, such as waiting for descriptors.
package protocol TaskThreadCompanion: AnyObject, Sendable {
  /// Does what can be done without waiting; `false` after its end.
  func proceed() -> Bool
  /// Waits until there is something to do, or ``wakeUp()`` was called since the wait before.
  func wait()
  /// Ends the wait, on any thread.
  func wakeUp()
  /// The thread ends, and no longer calls it.
  func leave()
}

/// A thread of its own for tasks, which run one at a time, in the order in which they can go on.
///
/// After a wait, a task goes on sooner here than in Swift's thread pool, which has to wake a thread
/// or start one. Unlike that pool it may wait for a short time: it delays only its own tasks.
package final class TaskThread: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var companion: (any TaskThreadCompanion)?
    var isWaiting = false
    var ends = false
  }

  private let state = Mutex(State())
  private let wakeup = Semaphore()

  private init() {}

  /// Runs the body, and its child tasks, on a new thread; on Swift's threads if none could be started.
  package static func run<Value: Sendable>(_ body: () async -> Value) async -> Value {
    let tasks = TaskThread()
    let isStarted = (try? BackgroundThread.start(takesSignals: false) { tasks.drive() }) != nil
    guard isStarted else { return await body() }
    defer { tasks.stop() }
    return await withTaskExecutorPreference(tasks) {
      // A task changes its thread only when it waits.
      await Task.yield()
      return await body()
    }
  }

  /// Runs the body, and its child tasks, on the calling thread, which does nothing else any more.
  package static func become(_ body: @escaping @Sendable () async -> Never) -> Never {
    let tasks = TaskThread()
    Task.detached(executorPreference: tasks) { await body() }
    while true { tasks.drive() }
  }

  /// The thread of tasks on which this is called; `nil` on any other thread.
  package static var current: TaskThread? {
    cposix_own().map { Unmanaged<TaskThread>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Lets the thread do something beside its tasks; `false` if it does something else already.
  package func accompany(_ companion: any TaskThreadCompanion) -> Bool {
    state.withLock { state in
      guard state.companion == nil, !state.ends else { return false }
      state.companion = companion
      return true
    }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    change { $0.jobs.append(job) }
  }

  private func stop() { change { $0.ends = true } }

  /// Changes the state, and wakes the thread if it waits.
  private func change(_ body: (inout State) -> Void) {
    let (isWaiting, companion) = state.withLock { state in
      body(&state)
      defer { state.isWaiting = false }
      return (state.isWaiting, state.isWaiting ? state.companion : nil)
    }
    guard isWaiting else { return }
    if let companion { companion.wakeUp() } else { wakeup.signal() }
  }

  private func drive() {
    cposix_set_own(Unmanaged.passUnretained(self).toOpaque())
    var jobs: [UnownedJob] = []
    while takeJobs(&jobs) {
      for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
    cposix_set_own(nil)
    state.withLock { $0.companion.take() }?.leave()
  }

  /// Waits for jobs; `false` if there will be no more.
  private func takeJobs(_ jobs: inout [UnownedJob]) -> Bool {
    jobs.removeAll(keepingCapacity: true)
    while true {
      let (isOver, companion) = state.withLock { state in
        swap(&jobs, &state.jobs)
        return (state.ends && jobs.isEmpty, jobs.isEmpty ? state.companion : nil)
      }
      if isOver { return false }
      if !jobs.isEmpty { return true }
      if let companion, !companion.proceed() { state.withLock { $0.companion = nil } }
      wait()
    }
  }

  /// Waits, if there is nothing to do.
  private func wait() {
    let (waits, companion) = state.withLock { state in
      state.isWaiting = state.jobs.isEmpty && !state.ends
      return (state.isWaiting, state.companion)
    }
    guard waits else { return }
    guard let companion else { return wakeup.wait() }
    companion.wait()
    // What it waits for may have ended the wait.
    state.withLock { $0.isWaiting = false }
  }
}

/// A semaphore of the system (sem_overview(7)).
// Sendable: the functions of `sem_t` may be called on any thread.
final class Semaphore: @unchecked Sendable {
  private let raw: UnsafeMutablePointer<sem_t>

  init() {
    raw = .allocate(capacity: 1)
    sem_init(raw, 0, 0)
  }

  deinit {
    sem_destroy(raw)
    raw.deallocate()
  }

  /// Waits for a signal, and takes it.
  func wait() {
    // A signal handler may interrupt the wait.
    while sem_wait(raw) != 0 {}
  }

  func signal() { sem_post(raw) }
}
