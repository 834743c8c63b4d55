import HTTP
import POSIX

/// Sends many resource requests over the connections of one session.
///
/// Items are read when there is a place for them and outcomes are handed out as they come, so the
/// memory of a batch depends on how many requests run, not on how many there are. Requests to an
/// HTTP/2 server share a connection.
public struct BatchRun: Sendable {
  /// Returns the next item; `nil` at the end, and soon after its task was cancelled.
  public typealias Source = @Sendable () async -> BatchItem?
  /// Returns the next items that are there, at least one; none at the end, and soon after its task
  /// was cancelled.
  public typealias GroupSource = @Sendable () async -> [BatchItem]
  /// Takes an outcome; returns whether further requests may start.
  public typealias Receiver = @Sendable (BatchOutcome) async -> Bool

  private let resources: ResourceService
  private let options: BatchOptions
  private let retries: RetryPolicy?
  private let pause: @Sendable (Duration) async throws -> Void

  /// Makes a batch of a session; with a policy, requests are sent again after transient failures.
  public init(
    _ session: ProfileSession, _ options: BatchOptions = BatchOptions(),
    retrying retries: RetryPolicy? = nil
  ) {
    self.retries = retries
    resources = session.resources
    self.options = options
    pause = session.environment.pause
  }

  /// Sends the items of a source.
  ///
  /// Outcomes come one at a time, as requests end. If the receiver returns `false`, or the task is
  /// cancelled, no further request starts, and this returns once the running ones have ended;
  /// cancelling ends them.
  public func run(_ next: @escaping Source, _ receive: Receiver) async {
    await run(groups: { await next().map { [$0] } ?? [] }, receive)
  }

  /// Sends the items of a source that returns several at once, which takes less time.
  ///
  /// Source and receiver are called on a thread of the batch. So is `idle`, each time before that
  /// thread waits: a receiver may put off until then what can be done for several outcomes at once.
  /// As the receiver does, it returns whether further requests may start.
  public func run(
    groups next: @escaping GroupSource, whenIdle idle: @escaping @Sendable () -> Bool = { true },
    _ receive: Receiver
  ) async {
    let refusal = OneShot<Bool>()
    await TaskThread.run(whenIdle: { if !idle() { refusal.set(true) } }) {
      await drive(next, until: refusal, receive)
    }
  }

  private func drive(
    _ next: @escaping GroupSource, until refusal: OneShot<Bool>, _ receive: Receiver
  ) async {
    let limit = TransferLimit(options.parallel)
    await withTaskGroup(of: Event.self) { group in
      var state = State(options)
      group.addTask {
        await refusal.wait()
        return .refused
      }
      while true {
        // No request will start any more, so that neither input nor rate is waited for.
        if state.isOver { return group.cancelAll() }
        if state.reads {
          state.isReading = true
          group.addTask { .read(await next()) }
        }
        start(&state, limit, in: &group)
        guard let event = await group.next() else { return }
        switch event {
        case .read(let items): state.take(items.map { ($0, host(of: $0) ?? "") })
        case .paused: state.isPausing = false
        case .refused: state.stop()
        case .ended(let outcome, let host):
          state.end(host: host)
          if let outcome, await !receive(outcome) { state.stop() }
        }
        if Task.isCancelled { state.stop() }
        if state.isStopped { limit.close() }
      }
    }
  }

  private enum Event: Sendable {
    case read([BatchItem])
    /// Without an outcome, it never started.
    case ended(BatchOutcome?, host: String)
    case paused
    case refused
  }

  /// Starts what may start now; if only the rate forbids it, waits for that.
  private func start(
    _ state: inout State, _ limit: TransferLimit, in group: inout TaskGroup<Event>
  ) {
    while state.hasPlace {
      let now = ContinuousClock.now
      if let delay = state.pacer?.delay(at: now), delay > .zero {
        if !state.isPausing {
          state.isPausing = true
          group.addTask {
            try? await pause(delay)
            return .paused
          }
        }
        return
      }
      guard let (host, item) = state.start(at: now) else { return }
      group.addTask {
        .ended(await outcome(of: item, TransferTurn(limit)), host: host)
      }
    }
  }

  /// What became of an item; `nil` if it was cancelled before it started.
  private func outcome(of item: BatchItem, _ turn: TransferTurn) async -> BatchOutcome? {
    let start = ContinuousClock.now
    let result: Result<HTTPResponse, SDKError>
    do throws(SDKError) {
      result = .success(try await send(item, turn))
    } catch {
      if error.code == .cancelled, turn.isWaiting { return nil }
      result = .failure(error)
    }
    return BatchOutcome(
      number: item.number, result: result, duration: start.duration(to: .now) - turn.waited)
  }

  private func send(
    _ item: BatchItem, _ turn: TransferTurn
  ) async throws(SDKError) -> HTTPResponse {
    guard let retries else {
      return try await resources.send(
        item.request, as: item.access, receiving: item.receiver, in: turn)
    }
    return try await resources.send(
      item.request, as: item.access, receiving: item.receiver, in: turn, retrying: retries)
  }

  /// The host and port that a request goes to; requests that cannot be sent share the empty one.
  private func host(of item: BatchItem) -> String? {
    guard options.parallelPerHost != nil else { return nil }
    return (try? item.request.resolved(against: resources.profile.resourceURL))?.authority
  }

  /// What runs and what waits.
  private struct State {
    private let parallel: Int
    private let prepared: Int
    private var queue: BatchQueue<BatchItem>
    private var running = 0
    private var isAtEnd = false
    private(set) var isStopped = false
    private(set) var pacer: RequestPacer?
    var isReading = false
    var isPausing = false

    init(_ options: BatchOptions) {
      parallel = options.parallel
      prepared = options.prepared
      queue = BatchQueue(limitPerHost: options.parallelPerHost)
      pacer = options.rate.map(RequestPacer.init)
    }

    /// Whether another item is to be read: so far ahead that items of other hosts may go first.
    var reads: Bool { !isReading && !isAtEnd && queue.count < 2 * parallel }

    var hasPlace: Bool { running < prepared && queue.hasStartable }

    mutating func take(_ items: [(item: BatchItem, host: String)]) {
      isReading = false
      if items.isEmpty { isAtEnd = true }
      guard !isAtEnd else { return }
      for (item, host) in items { queue.append(item, host: host) }
    }

    mutating func start(at now: ContinuousClock.Instant) -> (host: String, item: BatchItem)? {
      guard let next = queue.start() else { return nil }
      running += 1
      pacer?.noteStart(at: now)
      return next
    }

    mutating func end(host: String) {
      running -= 1
      queue.end(host: host)
    }

    /// Whether the last request has ended, and no other will start.
    var isOver: Bool { running == 0 && (isStopped || (isAtEnd && queue.count == 0)) }

    mutating func stop() {
      isAtEnd = true
      isStopped = true
      queue.removeAll()
    }
  }
}
