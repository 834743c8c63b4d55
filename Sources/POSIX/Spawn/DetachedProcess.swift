import CPOSIX

/// A program that was started and runs on its own.
package struct DetachedProcess: Sendable {
  package let pid: Int32
  private let end = OneShot<ExitStatus>()

  /// How it ended; `nil` if it still runs after that time.
  ///
  /// Shows whether a launcher failed at once.
  package func ended(within time: Duration) async -> ExitStatus? {
    await end.wait(timeout: time)
  }

  /// Waits for the child, so that no zombie stays.
  init(_ pid: Int32) {
    self.pid = pid
    let end = end
    // Without a thread it counts as running, and a zombie stays until this process ends.
    try? BackgroundThread.start { end.set(ExitStatus(cposix_wait(pid))) }
  }
}
