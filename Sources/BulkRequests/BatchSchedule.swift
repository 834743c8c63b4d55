enum BatchEvent: Sendable {
  /// The source returned these items; none is the end.
  case read([BatchItem])
  case ended(BatchOutcome)
  /// The receiver took that many outcomes.
  case received(Int, continues: Bool)
  case paused
}

/// Decides what the tasks of a batch do: items start in their order, at the rate.
///
/// At most as many requests run as are allowed. Outcomes that were not received yet take the places of
/// requests; if requests run ahead, as many of them do not.
struct BatchSchedule {
  enum Step {
    /// Read items while there is space for them.
    case read
    case send(BatchItem)
    /// Give the outcomes to the receiver.
    case pass([BatchOutcome])
    case pause(Duration)
    /// End what still reads or pauses.
    case end
  }

  private let limit: Int
  private let runsAhead: Bool
  private var pacer: RequestPacer?
  private var queue: [BatchItem] = []
  private var outcomes: [BatchOutcome] = []
  private var running = 0
  private var waiting = 0
  private var (isReading, isReceiving, isPausing) = (false, false, false)
  private var isAtEnd = false

  init(_ options: BatchOptions) {
    limit = options.parallel
    runsAhead = options.runsAhead
    pacer = options.rate.map(RequestPacer.init)
  }

  /// Handles the result of a task; returns `false` after the last task.
  mutating func take(_ event: BatchEvent?) -> Bool {
    switch event {
    case nil: return false
    case .read(let items):
      isReading = false
      if items.isEmpty { isAtEnd = true }
      if !isAtEnd { queue += items }
    case .ended(let outcome):
      outcomes.append(outcome)
      running -= 1
      waiting += 1
    case .received(let count, let continues):
      isReceiving = false
      waiting -= count
      if !continues { stop() }
    case .paused: isPausing = false
    }
    return true
  }

  mutating func steps(at now: ContinuousClock.Instant, isCancelled: Bool) -> [Step] {
    if isCancelled { stop() }
    var steps: [Step] = []
    while !queue.isEmpty, hasPlace, !isPausing {
      if let delay = pacer?.delay(at: now), delay > .zero {
        isPausing = true
        steps.append(.pause(delay))
        break
      }
      pacer?.noteStart(at: now)
      running += 1
      steps.append(.send(queue.removeFirst()))
    }
    if !isReading, !isAtEnd, queue.count < 2 * limit {
      isReading = true
      steps.append(.read)
    }
    if !isReceiving, !outcomes.isEmpty {
      isReceiving = true
      steps.append(.pass(outcomes))
      outcomes = []
    }
    if isAtEnd, queue.isEmpty, running == 0, waiting == 0 { steps.append(.end) }
    return steps
  }

  private var hasPlace: Bool {
    running < limit && running + waiting < (runsAhead ? 2 * limit : limit)
  }

  /// Drops the items that have not started; no further item starts.
  private mutating func stop() {
    isAtEnd = true
    queue = []
  }
}

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
