import CPOSIX
import Glibc
import Synchronization

/// The signals by which people and systems ask a program to end.
package enum Signals {
  package static let interrupt = SIGINT
  package static let terminate = SIGTERM
  package static let hangUp = SIGHUP
  package static let brokenPipe = SIGPIPE

  /// Runs the operation; the first SIGINT, SIGTERM or SIGHUP cancels its task.
  ///
  /// Answers that signal, which the caller passes to `ProcessSetup.reraise` when it has cleaned
  /// up. A second signal ends the process at once. Signals that are ignored stay so. For one call
  /// per process.
  package static func cancelling<Value: Sendable>(
    _ operation: @escaping @Sendable () async -> Value
  ) async throws(SystemError) -> (value: Value, signal: Int32?) {
    let wake = try WakePipe()
    pipes.withLock { $0.append(wake) }
    try answered("sigaction", cposix_watch_interruptions(wake.signalDescriptor))
    let arrived = Latch<Int32>()
    let begun = Mutex<Task<Value, Never>?>(nil)
    try BackgroundThread.start {
      guard let byte = try? wake.next() else { return }
      arrived.open(Int32(byte))
      begun.withLock { $0?.cancel() }
      endSoon(by: Int32(byte))
    }
    let task = Task(operation: operation)
    begun.withLock { $0 = task }
    // The signal may have come before there was a task.
    if arrived.value != nil { task.cancel() }
    let value = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    return (value, arrived.value)
  }

  /// Ends the process if cancelling does not: a read that waits for a person cannot be cancelled.
  private static func endSoon(by number: Int32) {
    var patience = 10
    while patience > 0 {
      usleep(100_000)
      patience = CriticalSection.isActive ? 10 : patience - 1
    }
    ProcessSetup.reraise(number)
  }

  /// The handler keeps the number of the descriptor, so these are never closed.
  private static let pipes = Mutex<[WakePipe]>([])
}
