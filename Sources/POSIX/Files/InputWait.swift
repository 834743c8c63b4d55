import Glibc
import Synchronization

/// Calls that wait for another program: reads of standard input, and of a pipe or its opening.
///
/// Nothing interrupts them, so a command with a time limit is ended while it is in one of them.
package enum InputWait {
  private static let count = Atomic(0)

  static func run<Value: ~Copyable, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    count.add(1, ordering: .releasing)
    defer { count.subtract(1, ordering: .releasing) }
    return try body()
  }

  /// Runs the body on a new thread if the process still waits after the deadline; it is to end the process.
  package static func limit(
    to deadline: ContinuousClock.Instant, _ body: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    try BackgroundThread.start(takesSignals: false) {
      var rounds = 0
      // Others that end at the deadline come first, and a read of a file is soon over.
      while rounds < 10 {
        usleep(100_000)
        let waits = count.load(ordering: .acquiring) > 0 && !CriticalSection.isActive
        rounds = waits && .now > deadline ? rounds + 1 : 0
      }
      body()
    }
  }
}
