import POSIX

/// How much a listener serves at once, and by which clock.
struct LoopbackLimits: Sendable {
  /// A quarter of the descriptors at most: the rest is for the exchange that follows.
  var connections = min(64, max(4, DescriptorLimit.current / 4))
  /// Never goes back.
  var now: @Sendable () -> Duration = { SystemClock.monotonic() }
}
