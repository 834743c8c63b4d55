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

  init(_ resources: ResourceService, _ options: BatchOptions, retrying retries: RetryPolicy?) async
  {
    self.retries = retries
    self.resources = resources
    owner = await RequestOwner(resources.tokens.slots)
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
    var retries = retries
    if let report = retries?.report {
      retries?.report = { report("request \(item.number): \($0)", $1, $2) }
    }
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
