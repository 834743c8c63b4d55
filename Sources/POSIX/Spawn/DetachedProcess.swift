import CPOSIX

/// A program that was started and left to itself.
package struct DetachedProcess: Sendable {
  package let pid: Int32
  private let end = OneShot<ExitStatus>()

  /// How it ended, or nil if it still runs after that time.
  ///
  /// A launcher that fails at once tells here that nothing was started.
  package func ended(within time: Duration) async -> ExitStatus? {
    await end.wait(timeout: time)
  }

  /// Takes over waiting for the child, so that no zombie stays.
  init(_ pid: Int32) {
    self.pid = pid
    let end = end
    // Without a thread it counts as running, and a zombie stays until this process ends.
    try? BackgroundThread.start { end.open(ExitStatus(cposix_wait(pid))) }
  }
}
