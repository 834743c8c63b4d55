import Glibc
import Synchronization

/// A thread that can be joined; no signal handler runs on it.
package final class WorkerThread: Sendable {
  private let identifier: Mutex<pthread_t?>

  /// Starts the thread.
  ///
  /// - Throws: ``SystemError`` if no thread could be started.
  package init(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    // A thread inherits the signals that its creator blocks.
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    identifier = Mutex(try createThread(nil, body))
  }

  /// Waits until the body has returned; returns at once on the thread itself.
  package func join() {
    guard let thread = identifier.withLock({ $0.take() }) else { return }
    if pthread_equal(thread, pthread_self()) != 0 {
      pthread_detach(thread)
    } else {
      pthread_join(thread, nil)
    }
  }

  deinit {
    // The thread goes on without its owner.
    if let thread = identifier.withLock({ $0.take() }) { pthread_detach(thread) }
  }
}
