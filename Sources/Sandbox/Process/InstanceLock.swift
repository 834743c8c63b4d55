import POSIX

/// The lock that a running sandbox holds: it ends with the process, however that ends, so it
/// tells a running sandbox from a pid file that was left behind.
enum InstanceLock {
  /// Takes the lock; `nil` if a running sandbox has it.
  static func acquire(_ directory: StateDirectory) async throws(Failure) -> FileLock? {
    do throws(LockError) {
      // Somebody who only looks holds the lock for a moment.
      return try await FileLock.acquire(directory.file(.lock), timeout: .milliseconds(100))
    } catch {
      guard case .system(let cause) = error else { return nil }
      throw Failure("open '\(directory.file(.lock))'", cause)
    }
  }

  /// Whether a sandbox runs on this directory.
  static func isHeld(_ directory: StateDirectory) -> Bool { FileLock.isHeld(directory.file(.lock)) }

  /// Waits until no sandbox runs on this directory, at most for a while.
  static func isReleased(_ directory: StateDirectory, within time: Duration) async -> Bool {
    let deadline = ContinuousClock.now + time
    while isHeld(directory) {
      guard ContinuousClock.now < deadline else { return false }
      try? await Task.sleep(for: .milliseconds(10))
    }
    return true
  }
}
