import HTTP
import POSIX

/// Sends many resource requests over the connections of one session.
///
/// Items are read only when they can start soon, and outcomes are passed on as they arrive: the memory of
/// a batch depends on how many requests run, not on how many there are. Requests to an HTTP/2 server
/// share a connection.
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
  /// The user in whose name all requests of the batch are sent.
  private let owner: RequestOwner
  private let options: BatchOptions
  private let retries: RetryPolicy?
  private let pause: @Sendable (Duration) async throws -> Void

  init(_ resources: ResourceService, _ options: BatchOptions, retrying retries: RetryPolicy?) {
    self.retries = retries
    self.resources = resources
    owner = RequestOwner(resources.tokens.slots)
    self.options = options
    pause = resources.environment.clock.pause
  }

  /// Sends the items of a source.
  ///
  /// Outcomes come one at a time, as requests end. If the receiver returns `false`, or the task is
  /// cancelled, no further request starts, and this returns once the running ones have ended;
  /// cancelling ends them.
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
    let scheduler = BatchScheduler(options)
    let outcomes = BatchOutcomes(options)
    await withTaskCancellationHandler {
      await withTaskGroup { group in
        group.addTask { await read(next, to: scheduler) }
        group.addTask { await pass(outcomes, to: receive, scheduler) }
        // The requests have one thread, which does nothing else.
        await TaskThread.run(whenIdle: { outcomes.flush(at: .now) }) {
          await withTaskGroup { workers in
            for _ in 0..<options.parallel {
              workers.addTask { await work(scheduler, outcomes) }
            }
          }
        }
        outcomes.close()
        // No request starts any more: end the task that waits for input.
        scheduler.stop()
        group.cancelAll()
      }
    } onCancel: {
      scheduler.stop()
    }
  }

  /// Reads items while there is space for them.
  private func read(_ next: GroupSource, to scheduler: BatchScheduler) async {
    while await scheduler.waitForSpace() {
      let items = await next()
      scheduler.add(items)
      if items.isEmpty { return }
    }
  }

  /// Passes the outcomes on.
  private func pass(
    _ outcomes: BatchOutcomes, to receive: GroupReceiver, _ scheduler: BatchScheduler
  ) async {
    while let group = await outcomes.next() {
      if await !receive(group) { scheduler.stop() }
      outcomes.noteReceived(group.count)
    }
  }

  /// Sends one request after the other.
  private func work(_ scheduler: BatchScheduler, _ outcomes: BatchOutcomes) async {
    while let item = await scheduler.next(pausing: pause) {
      let start = ContinuousClock.now
      let result = await result(of: item)
      await outcomes.add(
        BatchOutcome(number: item.number, result: result, duration: start.duration(to: .now)))
    }
  }

  private func result(of item: BatchItem) async -> Result<HTTPResponse, SDKError> {
    do throws(SDKError) {
      return .success(
        try await resources.send(
          item.request, as: item.access, of: owner, receiving: item.receiver,
          retrying: retries))
    } catch {
      return .failure(error)
    }
  }
}
