import Glibc

/// The clocks of the system.
package enum SystemClock {
  /// Whole seconds since 1970.
  package static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec)
  }

  /// A time that never decreases; only differences are meaningful.
  package static func monotonic() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
