public import HTTP
import POSIX
import Primitives
public import SDKCore

/// Sends many resource requests over the connections of one session.
///
/// Items are read only when they can start soon, and outcomes are passed on as they arrive: the memory of a batch
/// depends on how many requests run, not on how many there are. Requests to an HTTP/2 server share a connection.
public struct BatchRun: Sendable {
  /// Returns the next item; `nil` at the end, and soon after its task was cancelled.
  public typealias Source = @Sendable () async -> BatchItem?
  /// Returns the next items, at least one; none at the end, and soon after its task was cancelled.
  public typealias GroupSource = @Sendable () async -> [BatchItem]
  /// Takes an outcome; returns whether further requests may start.
  public typealias Receiver = @Sendable (BatchOutcome) async -> Bool
  /// Takes the outcomes of requests, at least one, in the order in which the requests ended;
  /// returns whether further requests may start.
  public typealias GroupReceiver = @Sendable ([BatchOutcome]) async -> Bool

  private let resources: ResourceService
  private let owner: RequestOwner
  private let options: BatchOptions
  private let retries: RetryPolicy?
  private let pause: @Sendable (Duration) async throws -> Void

  /// Makes a batch of a session; with a policy, requests are sent again after transient failures.
  public init(
    _ session: ProfileSession, _ options: BatchOptions = BatchOptions(),
    retrying retries: RetryPolicy? = nil
  ) async {
    self.retries = retries
    resources = session.resources
    owner = await resources.owner()
    self.options = options
    pause = resources.environment.clock.pause
  }

  /// Sends the items of a source.
  ///
  /// Outcomes come one at a time, as requests end. If the receiver returns `false`, or the task is cancelled, no
  /// further request starts, and this returns once the running ones have ended; cancelling ends them.
  public func run(_ next: @escaping Source, _ receive: @escaping Receiver) async {
    await run(groups: { await next().map { [$0] } ?? [] }) { outcomes in
      var continues = true
      for outcome in outcomes where await !receive(outcome) { continues = false }
      return continues
    }
  }

  /// Sends the items of a source, and passes the outcomes on; both in groups, which takes less time.
  ///
  /// Source and receiver run at the same time as the requests; each has one call at a time.
  public func run(
    groups next: @escaping GroupSource, _ receive: @escaping GroupReceiver
  ) async {
    // The requests have one thread, which does nothing else. Source and receiver may block theirs.
    await TaskThread.run {
      await withTaskGroup(of: BatchEvent.self) { tasks in
        var schedule = BatchSchedule(options)
        repeat {
          for step in schedule.steps(at: .now, isCancelled: Task.isCancelled) {
            switch step {
            case .read:
              tasks.addTask(executorPreference: globalConcurrentExecutor) { .read(await next()) }
            case .pass(let outcomes):
              tasks.addTask(executorPreference: globalConcurrentExecutor) {
                .received(outcomes.count, continues: await receive(outcomes))
              }
            case .send(let item): tasks.addTask { .ended(await outcome(of: item)) }
            case .pause(let length):
              tasks.addTask {
                try? await pause(length)
                return .paused
              }
            // End the task that waits for input.
            case .end: tasks.cancelAll()
            }
          }
        } while await schedule.take(tasks.next())
      }
    }
  }

  private func outcome(of item: BatchItem) async -> BatchOutcome {
    let start = ContinuousClock.now
    let result = await result(of: item)
    return BatchOutcome(number: item.number, result: result, duration: start.duration(to: .now))
  }

  private func result(of item: BatchItem) async -> Result<HTTPResponse, SDKError> {
    var own = retries
    if let report = own?.report {
      own?.report = { report("request \(item.number): \($0)", $1, $2) }
    }
    let retries = own
    return await Result { () async throws(SDKError) in
      try await resources.send(
        item.request, as: item.access, of: owner, receiving: item.receiver, retrying: retries)
    }
  }
}

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
