import Dispatch
import Synchronization

/// Runs tasks when a test says so, so that something can happen while all of them wait.
package final class SteppedExecutor: TaskExecutor {
  private let state = Mutex<(jobs: [UnownedJob], isFree: Bool)>(([], false))

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isFree = state.withLock { state in
      if !state.isFree { state.jobs.append(job) }
      return state.isFree
    }
    if isFree { start(job) }
  }

  /// Runs what is ready, and what becomes ready by that, on this thread.
  package func drain() {
    while let job = state.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  /// Lets the tasks run by themselves from now on.
  package func letRun() {
    let jobs = state.withLock { state in
      defer { state = ([], true) }
      return state.jobs
    }
    for job in jobs { start(job) }
  }

  private func start(_ job: UnownedJob) {
    DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
