public import HTTP

/// How many requests of a batch run at the same time, and how often one starts.
public struct BatchOptions: Sendable, Hashable {
  /// How many requests may run at the same time.
  public var parallel: Int
  /// How often a request may start; `nil` for no limit.
  public var rate: RequestRate?
  /// Whether a request may start before the receiver has got the outcome of the one before.
  ///
  /// It takes less time. As many outcomes as requests may then wait for the receiver.
  public var runsAhead = false

  /// Makes options; the number is at least 1.
  public init(parallel: Int = 16, rate: RequestRate? = nil) {
    self.parallel = max(1, parallel)
    self.rate = rate
  }
}

/// How often requests start: a number of requests in a time, at equal intervals.
public struct RequestRate: Sendable, Hashable {
  /// The time from the start of one request to the start of the next.
  public let interval: Duration

  /// Makes a rate; `nil` unless count and time are positive.
  public init?(_ count: Int, per time: Duration) {
    guard count > 0, time > .zero else { return nil }
    interval = time / count
  }
}

/// Computes when the next request may start at a rate.
struct RequestPacer: Sendable {
  private let interval: Duration
  private var next: ContinuousClock.Instant?

  init(_ rate: RequestRate) { interval = rate.interval }

  func delay(at now: ContinuousClock.Instant) -> Duration {
    next.map { max(.zero, now.duration(to: $0)) } ?? .zero
  }

  /// Notes a start; after a pause, requests do not start more often to catch up.
  mutating func noteStart(at now: ContinuousClock.Instant) {
    next = max(now, next ?? now).advanced(by: interval)
  }
}

/// One request of a batch.
public final class BatchItem: Sendable {
  /// A number that the caller chooses; the outcome has it too.
  public let number: Int
  /// The request.
  public let request: ResourceRequest
  /// The credential of the request.
  public let access: Access
  /// The receiver of the response's body.
  public let receiver: HTTPBodyReceiver

  /// Makes an item; the body is collected by default, up to 16 MiB.
  public init(
    _ number: Int, _ request: ResourceRequest, as access: Access,
    receiving receiver: HTTPBodyReceiver = .collect(limit: 1 << 24)
  ) {
    self.number = number
    self.request = request
    self.access = access
    self.receiver = receiver
  }
}

/// The result of one request of a batch.
public struct BatchOutcome: Sendable {
  /// The number of its item.
  public let number: Int
  /// The response, whatever its status, or the error.
  public let result: Result<HTTPResponse, SDKError>
  /// The time from the start of the request to the end of its response.
  public let duration: Duration
}
