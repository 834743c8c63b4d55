import Glibc
package import Primitives

package enum SystemClock {
  /// The time as a server on this machine reads it.
  ///
  /// The exact clock begins a second some milliseconds before `time` does, and a server may refuse a proof or an
  /// assertion that seems to come from the future.
  package static func now() -> Timestamp { Timestamp(Int64(time(nil))) }

  /// The local time of an instant: `2026-11-21 02:02:03 CET`; `nil` where it is UTC.
  package static func local(_ time: Timestamp) -> String? {
    var (seconds, local) = (time_t(time.seconds), tm())
    localtime_r(&seconds, &local)
    guard local.tm_gmtoff != 0 else { return nil }
    let text = (time + Int64(local.tm_gmtoff)).description.dropLast()
    let zone = local.tm_zone.map { " " + String(cString: $0) } ?? ""
    return text.map { $0 == "T" ? " " : String($0) }.joined() + zone
  }

  /// A time that never decreases; only differences are meaningful.
  package static func monotonic() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
