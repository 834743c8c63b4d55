import Synchronization

/// A thread of its own for tasks, which run one at a time, in the order in which they can go on.
///
/// After a wait, a task goes on sooner here than in Swift's thread pool, which has to wake a thread
/// or start one. Unlike that pool it may wait for a short time: it delays only its own tasks.
package final class TaskThread: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var isWaiting = false
    var ends = false
  }

  private let state = Mutex(State())
  private let wakeup = Semaphore()
  private let idle: @Sendable () -> Void

  private init(whenIdle idle: @escaping @Sendable () -> Void) { self.idle = idle }

  /// Runs the body, and its child tasks, on a new thread.
  ///
  /// - Parameters:
  ///   - idle: called on the thread each time before it waits, as all tasks wait.
  ///   - body: what runs; on Swift's threads if no other could be started.
  /// - Returns: what the body returns.
  package static func run<Value: Sendable>(
    whenIdle idle: @escaping @Sendable () -> Void, _ body: () async -> Value
  ) async -> Value {
    let tasks = TaskThread(whenIdle: idle)
    guard (try? BackgroundThread.start { tasks.drive() }) != nil else { return await body() }
    defer { tasks.stop() }
    return await withTaskExecutorPreference(tasks) { await body() }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let wakes = state.withLock { state in
      state.jobs.append(job)
      defer { state.isWaiting = false }
      return state.isWaiting
    }
    if wakes { wakeup.signal() }
  }

  private func drive() {
    var jobs: [UnownedJob] = []
    while take(&jobs) {
      for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }

  /// Waits for jobs; `false` if there will be no more.
  private func take(_ jobs: inout [UnownedJob]) -> Bool {
    jobs.removeAll(keepingCapacity: true)
    var isIdle = false
    while true {
      let waits = state.withLock { state in
        swap(&jobs, &state.jobs)
        state.isWaiting = jobs.isEmpty && !state.ends && isIdle
        return jobs.isEmpty && !state.ends
      }
      guard waits else { return !jobs.isEmpty }
      if isIdle { wakeup.wait() } else { idle() }
      isIdle.toggle()
    }
  }

  private func stop() {
    state.withLock { $0.ends = true }
    wakeup.signal()
  }
}
