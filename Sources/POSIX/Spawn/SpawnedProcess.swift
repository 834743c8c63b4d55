import CPOSIX
import Glibc
import Synchronization

/// A program that was started and is not reaped yet.
///
/// Its number is that of another program as soon as it is reaped; so what sends a signal and what reaps
/// exclude each other.
final class SpawnedProcess: Sendable {
  private let number: Int32
  private let isReaped = Mutex(false)

  init(_ number: Int32) { self.number = number }

  /// Waits for its end.
  ///
  /// - Returns: the status, as `waitpid` has it.
  func wait() -> Int32 {
    var information = siginfo_t()
    // Until then it cannot be reaped, and the lock is not held while nothing happens.
    while waitid(P_PID, id_t(number), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    return isReaped.withLock { isReaped in
      isReaped = true
      return cposix_wait(number)
    }
  }

  /// Sends a signal, unless the program is reaped.
  ///
  /// - Returns: whether it was sent.
  @discardableResult
  func signal(_ signal: Int32) -> Bool {
    isReaped.withLock { isReaped in !isReaped && kill(number, signal) == 0 }
  }
}
