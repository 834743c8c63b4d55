import HTTP
import Synchronization

/// Decides when each item of a batch starts: in their order, at the rate.
///
/// One task adds items, as it reads them; the tasks that send requests take them.
final class BatchScheduler: Sendable {
  typealias Waiter = CheckedContinuation<Void, Never>

  private let state: Mutex<State>

  init(_ options: BatchOptions) { state = Mutex(State(options)) }

  /// Returns the next item, as soon as it may start; `nil` at the end.
  ///
  /// The closure waits for a time, if the rate requires it; it ends early if its task is cancelled.
  func next(
    pausing pause: @Sendable (Duration) async throws -> Void
  ) async -> BatchItem? {
    while true {
      let (step, waiters) = state.withLock { state in
        let step = state.step(at: .now)
        return (step, state.takeReady())
      }
      for waiter in waiters { waiter.resume() }
      switch step {
      case .start(let item): return item
      case .finished: return nil
      case .wait: await waitForItem()
      case .pause(let length):
        try? await pause(length)
        state.withLock { $0.isPausing = false }
      }
    }
  }

  /// Waits until there is space for items; `false` if no item is needed any more.
  func waitForSpace() async -> Bool {
    await wait { state, reader in
      guard state.isFull else { return false }
      state.reader = reader
      return true
    }
    return state.withLock { !$0.isAtEnd }
  }

  /// Adds items that were read; an empty array is the end of the batch.
  func add(_ items: [BatchItem]) {
    change { state in
      if items.isEmpty { state.isAtEnd = true }
      guard !state.isAtEnd else { return }
      state.queue += items
    }
  }

  /// Drops the items that have not started; no further item starts.
  func stop() {
    change { state in
      state.isAtEnd = true
      state.queue = []
    }
  }

  private func change(_ body: (inout State) -> Void) {
    let waiters = state.withLock { state in
      body(&state)
      return state.takeReady()
    }
    for waiter in waiters { waiter.resume() }
  }

  private func waitForItem() async {
    await wait { state, worker in
      guard state.mustWait else { return false }
      state.workers.append(worker)
      return true
    }
  }

  /// Waits until the waiter is resumed; does not wait if the closure returns `false`, and so has not
  /// stored the waiter.
  private func wait(_ store: @Sendable (inout State, Waiter) -> Bool) async {
    await withCheckedContinuation { waiter in
      if !state.withLock({ store(&$0, waiter) }) { waiter.resume() }
    }
  }
}

extension BatchScheduler {
  /// The next step of a task that sends requests.
  private enum Step {
    case start(BatchItem)
    case pause(Duration)
    case wait
    case finished
  }

  private struct State {
    private let readAhead: Int
    private var pacer: RequestPacer?
    /// The items that have been read and not started yet.
    var queue: [BatchItem] = []
    /// Whether no further item is added.
    var isAtEnd = false
    /// Whether a task waits for the rate, and then takes the next item.
    var isPausing = false
    /// Tasks that wait for an item.
    var workers: [Waiter] = []
    /// The task that reads, if it waits for space.
    var reader: Waiter?

    init(_ options: BatchOptions) {
      readAhead = 2 * options.parallel
      pacer = options.rate.map(RequestPacer.init)
    }

    var isFull: Bool { !isAtEnd && queue.count >= readAhead }
    private var isFinished: Bool { isAtEnd && queue.isEmpty }
    var mustWait: Bool { !isFinished && (isPausing || queue.isEmpty) }

    mutating func step(at now: ContinuousClock.Instant) -> Step {
      if isFinished { return .finished }
      if mustWait { return .wait }
      if let delay = pacer?.delay(at: now), delay > .zero {
        isPausing = true
        return .pause(delay)
      }
      pacer?.noteStart(at: now)
      return .start(queue.removeFirst())
    }

    /// Removes and returns the waiters to resume: all at the end, else one, which resumes the next one.
    mutating func takeReady() -> [Waiter] {
      var ready: [Waiter] = []
      if !isFull, let reader = reader.take() { ready.append(reader) }
      if isFinished {
        ready += workers
        workers = []
      } else if !workers.isEmpty, !mustWait {
        ready.append(workers.removeLast())
      }
      return ready
    }
  }
}
