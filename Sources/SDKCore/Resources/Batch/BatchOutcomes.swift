import Synchronization

/// Passes the outcomes of a batch from the tasks that send its requests to its receiver, in groups.
///
/// A task waits until its outcome was received; if requests run ahead, only while the receiver is
/// behind by as many outcomes as requests may run.
final class BatchOutcomes: Sendable {
  private typealias Waiter = CheckedContinuation<Void, Never>

  private struct State {
    var outcomes: [BatchOutcome] = []
    /// When the first of them was added.
    var since: ContinuousClock.Instant?
    /// Whether they are due.
    var isDue = false
    var added = 0
    var received = 0
    var isClosed = false
    var receiver: Waiter?
    /// The tasks that wait, each until this many outcomes were received.
    var waiting: [(count: Int, task: Waiter)] = []
  }

  private let state = Mutex(State())
  /// How many outcomes may wait for the receiver while tasks continue.
  private let limit: Int
  /// How many outcomes make a group; a smaller one is passed on when it is due.
  private let group: Int
  /// After which time a group is due, whatever its size: to wake the receiver takes longer than to
  /// write a result.
  private static let longestWait = Duration.milliseconds(1)

  init(_ options: BatchOptions) {
    limit = options.runsAhead ? options.parallel : 0
    group = max(1, min(32, limit / 2))
  }

  /// Adds an outcome.
  func add(_ outcome: BatchOutcome) async {
    let (receiver, count) = state.withLock { state in
      if state.outcomes.isEmpty { state.since = .now }
      state.outcomes.append(outcome)
      state.added += 1
      return (
        state.outcomes.count >= group ? state.receiver.take() : nil, state.added - limit
      )
    }
    receiver?.resume()
    await waitUntilReceived(count)
  }

  /// Passes on the outcomes if they are due; returns after which time they will be, `nil` if there are
  /// none, or the receiver takes them.
  func flush(at now: ContinuousClock.Instant) -> Duration? {
    let (left, receiver) = state.withLock { state -> (Duration?, Waiter?) in
      guard let since = state.since else { return (nil, nil) }
      let left = Self.longestWait - since.duration(to: now)
      if left > .zero { return (left, nil) }
      state.isDue = true
      return (nil, state.receiver.take())
    }
    receiver?.resume()
    return left
  }

  /// Notes that no further outcome is added.
  func close() {
    let receiver = state.withLock { state in
      state.isClosed = true
      return state.receiver.take()
    }
    receiver?.resume()
  }

  /// The next outcomes, at least one, for the only receiver; `nil` at the end.
  func next() async -> [BatchOutcome]? {
    await withCheckedContinuation { receiver in
      let waits = state.withLock { state in
        guard state.outcomes.count < group, !state.isDue, !state.isClosed else { return false }
        state.receiver = receiver
        return true
      }
      if !waits { receiver.resume() }
    }
    return state.withLock { state in
      var outcomes: [BatchOutcome] = []
      swap(&outcomes, &state.outcomes)
      (state.since, state.isDue) = (nil, false)
      return outcomes.isEmpty ? nil : outcomes
    }
  }

  /// Notes how many outcomes the receiver has taken.
  func noteReceived(_ count: Int) {
    let tasks = state.withLock { state in
      state.received += count
      let received = state.received
      let first = state.waiting.partition { $0.count <= received }
      defer { state.waiting.removeSubrange(first...) }
      return state.waiting[first...].map(\.task)
    }
    for task in tasks { task.resume() }
  }

  private func waitUntilReceived(_ count: Int) async {
    if state.withLock({ $0.received >= count }) { return }
    await withCheckedContinuation { task in
      let waits = state.withLock { state in
        guard state.received < count else { return false }
        state.waiting.append((count, task))
        return true
      }
      if !waits { task.resume() }
    }
  }
}
