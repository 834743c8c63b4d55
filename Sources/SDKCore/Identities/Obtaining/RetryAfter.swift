import HTTP

/// The waits that a service asks for while it has not decided (RFC 7030 section 4.2.3).
struct RetryAfter: Sendable {
  private let context: EnrolmentContext
  private var count = 0
  private var left: Duration

  init(_ context: EnrolmentContext) {
    self.context = context
    left = min(context.environment.clock.limits.remaining ?? Self.maximum, Self.maximum)
  }

  /// Waits as long as the response says.
  ///
  /// - Throws: ``SDKError/Code/busy`` if that is longer, or more often, than a program may wait.
  mutating func wait(_ response: HTTPResponse) async throws(SDKError) {
    count += 1
    let pause = max(.seconds(1), response.retryAfter(at: context.now()) ?? Self.usualPause)
    guard count <= Self.maximumCount, pause <= left else {
      throw SDKError(
        .busy,
        cause: "\(response.url.host) has not issued the certificate yet; it says to ask again "
          + "in \(pause.components.seconds) seconds", subject: response.url.host)
    }
    left -= pause
    context.trace?("* \(response.url.host) has not decided; asking again in \(pause)")
    do {
      try await context.environment.clock.pause(pause)
    } catch {
      throw SDKError.cancelled
    }
  }

  private static let usualPause = Duration.seconds(10)
  private static let maximum = Duration.seconds(300)
  private static let maximumCount = 30
}
