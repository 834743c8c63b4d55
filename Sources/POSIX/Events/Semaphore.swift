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

  /// Waits for a signal, and takes it.
  func wait() {
    // A signal handler may interrupt the wait.
    while sem_wait(raw) != 0 {}
  }

  func signal() { sem_post(raw) }
}
