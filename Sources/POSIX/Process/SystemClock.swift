import Glibc
package import Primitives

/// The clocks of the system.
package enum SystemClock {
  /// The current time.
  package static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(Int64(time.tv_sec))
  }

  /// A time that never decreases; only differences are meaningful.
  package static func monotonic() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
