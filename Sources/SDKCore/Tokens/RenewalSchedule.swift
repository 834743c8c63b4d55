public import Primitives

/// When a token that is kept fresh is requested again: some time before it expires.
///
/// The time is a random one within limits, so that many programs that were started together do not renew together.
public struct RenewalSchedule: Sendable {
  /// The minimum number of seconds for which the token must be valid.
  public let minimumLifetime: Int64
  /// How often the renewal has failed since it last succeeded.
  public private(set) var failures = 0

  /// Makes a schedule.
  public init(minimumLifetime: Int64 = 30) { self.minimumLifetime = max(0, minimumLifetime) }

  /// Notes that a token was obtained; returns when it is to be renewed.
  ///
  /// That is up to a minute before it is valid for less than required. A token that lives for
  /// less than twice that time is renewed when half of its time has passed.
  ///
  /// - Returns: the time; `nil` if the token does not expire.
  public mutating func renewal(of expires: Timestamp?, at now: Timestamp) -> Timestamp? {
    guard let expires else {
      failures = 0
      return nil
    }
    let left = expires.seconds(since: now)
    // What a server issues as expired is a failure: it must not be asked again at once.
    guard left > 0 else { return renewal(afterFailureAt: now) }
    failures = 0
    let isLong = left >= 2 * (minimumLifetime + Self.spread)
    let latest = isLong ? left - minimumLifetime : left / 2
    return now + max(1, latest - Int64.random(in: 0...min(Self.spread, latest / 4)))
  }

  /// Notes that a renewal failed; returns when to try again.
  ///
  /// The pauses grow from one second to five minutes.
  public mutating func renewal(afterFailureAt now: Timestamp) -> Timestamp {
    let pause = min(1 << min(Int64(failures), 20), Self.longestPause)
    failures += 1
    return now + Int64.random(in: max(1, pause / 2)...pause)
  }

  private static let spread: Int64 = 60
  private static let longestPause: Int64 = 300
}
