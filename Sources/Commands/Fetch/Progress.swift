import HTTP
import POSIX
import Synchronization

/// A line on a terminal that shows how far a long transfer is.
final class Progress: Sendable {
  private struct State {
    var total: Int64?
    var count: Int64 = 0
    var start: ContinuousClock.Instant
    var shown: ContinuousClock.Instant?
  }

  private let errors: Output
  private let delay: Duration
  private let now: @Sendable () -> ContinuousClock.Instant
  private let state: Mutex<State>

  /// A line that appears after `delay`.
  init(
    _ errors: Output, after delay: Duration = .seconds(1),
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.errors = errors
    self.delay = delay
    self.now = now
    state = Mutex(State(start: now()))
  }

  func begin(_ response: HTTPResponse) {
    state.withLock { $0 = State(total: response.length(), start: now()) }
  }

  func add(_ count: Int) {
    state.withLock { state in
      state.count += Int64(count)
      let now = self.now()
      guard now - state.start >= delay, state.shown.map({ now - $0 >= .milliseconds(200) }) ?? true
      else { return }
      state.shown = now
      let line = Self.line(state.count, of: state.total, after: now - state.start)
      errors.write("\r\u{1b}[K\(line)")
    }
  }

  func end() {
    let isShown = state.withLock { state in
      defer { state.shown = nil }
      return state.shown != nil
    }
    if isShown { errors.write("\r\u{1b}[K") }
  }

  /// `12.0 MiB of 40.0 MiB  30%  3.1 MiB/s  0:09 left`.
  static func line(_ count: Int64, of total: Int64?, after time: Duration) -> String {
    let rate = Double(count) / max(Double(time.microseconds) / 1_000_000, 0.001)
    var parts = [size(Double(count))]
    if let total, total > 0 {
      parts = ["\(size(Double(count))) of \(size(Double(total)))", "\(count * 100 / total)%"]
    }
    parts.append("\(size(rate))/s")
    if let total, rate > 0, total >= count {
      let left = Int64(Double(total - count) / rate)
      let (minutes, seconds) = (left % 3600 / 60, left % 60)
      let tail = seconds < 10 ? "0\(seconds)" : "\(seconds)"
      let hours = left >= 3600 ? "\(left / 3600):\(minutes < 10 ? "0" : "")" : ""
      parts.append("\(hours)\(minutes):\(tail) left")
    }
    return parts.joined(separator: "  ")
  }

  private static func size(_ bytes: Double) -> String {
    var value = bytes
    for unit in ["B", "KiB", "MiB", "GiB"] {
      if value < 1024 || unit == "GiB" {
        let tenths = Int64(value * 10)
        return unit == "B" ? "\(tenths / 10) B" : "\(tenths / 10).\(tenths % 10) \(unit)"
      }
      value /= 1024
    }
    return ""
  }
}
