import Glibc

/// The lock that a running sandbox holds: it ends with the process, however that ends, so it
/// tells a running sandbox from a pid file that was left behind.
struct InstanceLock: ~Copyable {
  private let descriptor: Int32

  /// Takes the lock, or returns nothing when a running sandbox has it.
  init?(_ directory: StateDirectory) throws(Failure) {
    let path = directory.file(.lock)
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw Failure("could not open '\(path)': \(systemText())", exit: .store)
    }
    // Somebody who only looks holds the lock for a moment.
    for _ in 0..<10 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
      usleep(10_000)
    }
    close(descriptor)
    return nil
  }

  deinit { close(descriptor) }

  /// Whether a sandbox runs on this directory.
  static func isHeld(_ directory: StateDirectory) -> Bool {
    let descriptor = open(directory.file(.lock), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0
  }

  /// Waits until no sandbox runs on this directory, at most for a while.
  static func waitForRelease(_ directory: StateDirectory, milliseconds: Int) -> Bool {
    for _ in 0...(milliseconds / 10) {
      guard isHeld(directory) else { return true }
      usleep(10_000)
    }
    return !isHeld(directory)
  }
}
