import HTTP

/// When and how often a request is sent again because of a transient failure.
///
/// Only for methods that may be repeated (RFC 9110 section 9.2.2). Transient are failures of the
/// network and the statuses 408, 425, 429 and those from 500 on but 501 and 505.
public struct RetryPolicy: Sendable {
  /// How often the request may be sent again.
  public var count: Int
  /// The time before the first repetition, which is doubled each time; `Retry-After` may be longer.
  public var firstDelay = Duration.seconds(1)
  /// The maximum time before a repetition.
  public var maximumDelay = Duration.seconds(600)
  /// Called before each wait with the cause, the time, and the number of the repetition.
  public var report: (@Sendable (_ cause: String, _ wait: Duration, _ attempt: Int) -> Void)?

  /// Makes a policy.
  public init(
    count: Int,
    report: (@Sendable (_ cause: String, _ wait: Duration, _ attempt: Int) -> Void)? = nil
  ) {
    self.count = count
    self.report = report
  }

  func delay(before attempt: Int, retryAfter: Duration? = nil) -> Duration {
    let doubled = firstDelay * Int(1 << min(attempt, 20))
    return max(min(doubled, maximumDelay), retryAfter ?? .zero)
  }

  static func mayRepeat(_ method: String) -> Bool {
    HTTPMethod(inAnyCase: method)?.isIdempotent ?? false
  }
}
