import JSON
import Primitives

extension Context {
  /// When something ends, in words: a person reads the local time too.
  func ending(_ time: Timestamp) -> String { Age.text(of: time, at: now(), local: localTime) }
}

enum Age {
  /// "expires 2026-11-21T02:00:00Z, in 59 minutes" or "expired …, 2 hours ago"; with the local time if there is one.
  static func text(
    of expires: Timestamp, at now: Timestamp, local: (Timestamp) -> String? = { _ in nil }
  ) -> String {
    let verb = expires <= now ? "expired" : "expires"
    let here = local(expires).map { " (\($0))" } ?? ""
    return "\(verb) \(expires)\(here), \(relative(expires, to: now))"
  }

  /// "in 5 minutes", "3 days ago".
  static func relative(_ time: Timestamp, to now: Timestamp) -> String {
    let seconds = max(time, now).seconds(since: min(time, now))
    let (unit, size): (String, Int64) =
      switch seconds {
      case ..<120: ("second", 1)
      case ..<7200: ("minute", 60)
      case ..<172_800: ("hour", 3600)
      default: ("day", 86400)
      }
    let amount = Int(seconds / size).counted(unit)
    return time > now ? "in \(amount)" : "\(amount) ago"
  }
}
