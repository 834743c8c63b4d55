import Glibc

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

  /// Waits for a signal, and takes it; not longer than the time, if there is one.
  func wait(atMost time: Duration? = nil) {
    // A signal handler may interrupt the wait.
    guard let time else {
      while sem_wait(raw) != 0 {}
      return
    }
    var end = timespec()
    clock_gettime(CLOCK_REALTIME, &end)
    let nanoseconds = end.tv_nsec + Int(time.components.attoseconds / 1_000_000_000)
    end.tv_sec += Int(time.components.seconds) + nanoseconds / 1_000_000_000
    end.tv_nsec = nanoseconds % 1_000_000_000
    while sem_timedwait(raw, &end) != 0, errno == EINTR {}
  }

  func signal() { sem_post(raw) }
}
