import CPOSIX
import Glibc
import Synchronization

/// The signals that ask a program to end.
package enum Signals {
  package static let brokenPipe = SIGPIPE
  package static let termination = SIGTERM
  package static let kill = SIGKILL

  /// Sends a signal to a process, if there is one with this number that this user may end.
  package static func send(_ signal: Int32, to process: Int32) { _ = Glibc.kill(process, signal) }

  /// The signal that has asked this process to end; `nil` if none has.
  package static var arrived: Int32? {
    let number = first.load(ordering: .acquiring)
    return number == 0 ? nil : number
  }

  private static let first = Atomic<Int32>(0)

  /// Runs the operation; the first SIGINT, SIGTERM or SIGHUP cancels its task.
  ///
  /// A second signal ends the process at once. Ignored signals stay ignored. To be called once per
  /// process.
  ///
  /// - Parameters:
  ///   - onceWaiting: whether signals end the process as usual until the operation waits for
  ///     something. One that never does needs no handler, and no other thread.
  ///   - operation: what is cancelled.
  /// - Returns: the signal, which the caller passes to `ProcessSetup.reraise` when it has cleaned
  ///   up; `nil` if there was none.
  /// - Throws: ``SystemError`` if signals cannot be watched.
  package static func cancelling(
    onceWaiting: Bool = false, _ operation: @escaping @Sendable () async -> Void
  ) async throws(SystemError) -> Int32? {
    guard onceWaiting else { return try await watching(nil, operation) }
    let end = End()
    let task = Task.immediateDetached(executorPreference: TaskThread.current) {
      await operation()
      end.isReached.store(true, ordering: .releasing)
    }
    if end.isReached.load(ordering: .acquiring) { return nil }
    return try await watching(task, operation)
  }

  private final class End: Sendable {
    let isReached = Atomic(false)
  }

  /// Runs the operation to its end in the task, or in a new one once signals are watched.
  private static func watching(
    _ started: Task<Void, Never>?, _ operation: @escaping @Sendable () async -> Void
  ) async throws(SystemError) -> Int32? {
    let arrived = OneShot<Int32>()
    let begun = Mutex(started)
    do throws(SystemError) {
      try watch { number in
        arrived.set(number)
        first.store(number, ordering: .releasing)
        begun.withLock { $0?.cancel() }
        endSoon(by: number)
      }
    } catch {
      started?.cancel()
      throw error
    }
    let task = started ?? Task(executorPreference: TaskThread.current) { await operation() }
    begun.withLock { $0 = task }
    // The signal may have arrived before the task was made.
    if arrived.value != nil { task.cancel() }
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    return arrived.value
  }

  /// Calls the closure with the first signal from now on, on a new thread.
  private static func watch(_ tell: @escaping @Sendable (Int32) -> Void) throws(SystemError) {
    let wake = try WakePipe()
    pipes.withLock { $0.append(wake) }
    try checked("sigaction", cposix_watch_interruptions(wake.signalDescriptor))
    try BackgroundThread.start {
      if let byte = try? wake.next() { tell(Int32(byte)) }
    }
  }

  /// Ends the process if cancelling does not: a read from a terminal cannot be cancelled.
  private static func endSoon(by number: Int32) {
    var attempts = 10
    while attempts > 0 {
      usleep(100_000)
      attempts = CriticalSection.isActive ? 10 : attempts - 1
    }
    ProcessSetup.reraise(number)
  }

  /// The signal handler uses the descriptors, so they are never closed.
  private static let pipes = Mutex<[WakePipe]>([])
}

/// Work that the first signal must not interrupt, because its result would be lost.
package enum CriticalSection {
  static var isActive: Bool { count.load(ordering: .acquiring) > 0 }

  /// Runs the body; until it ends only a second signal ends the process.
  package static func run<Value, Failure: Error>(
    _ body: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    begin()
    defer { end() }
    return try await body()
  }

  package static func begin() { count.add(1, ordering: .releasing) }

  package static func end() { count.subtract(1, ordering: .releasing) }

  private static let count = Atomic(0)
}
