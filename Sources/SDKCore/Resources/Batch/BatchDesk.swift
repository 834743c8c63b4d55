import HTTP
import Synchronization

/// Hands the items of a batch to the tasks that send them: in their order, as many as may run, and
/// as often as the rate allows.
final class BatchDesk: Sendable {
  typealias Waiter = CheckedContinuation<Void, Never>

  private let state: Mutex<State>
  private let limit: TransferLimit

  /// Makes a desk; it closes the limit when no further request may start.
  init(_ options: BatchOptions, _ limit: TransferLimit) {
    self.limit = limit
    state = Mutex(State(options))
  }

  /// The next item that may start, and its host; `nil` if no other will.
  ///
  /// If the rate does not allow it yet, the closure waits for a time, or until its task is cancelled.
  func next(
    pausing pause: @Sendable (Duration) async throws -> Void
  ) async -> (host: String, item: BatchItem)? {
    while true {
      let (step, waiters) = state.withLock { state in
        let step = state.step(at: .now)
        return (step, state.takeReady())
      }
      for waiter in waiters { waiter.resume() }
      switch step {
      case .start(let host, let item): return (host, item)
      case .over: return nil
      case .wait: await waitForItem()
      case .pause(let length):
        try? await pause(length)
        state.withLock { $0.isPausing = false }
      }
    }
  }

  /// An item of that host has ended.
  func end(host: String) { state.withLock { $0.queue.end(host: host) } }

  /// Waits until another item is to be read; `false` if none is.
  ///
  /// Items are read so far ahead that those of other hosts may go first.
  func waitForPlace() async -> Bool {
    await wait { state, reader in
      guard state.isFull else { return false }
      state.reader = reader
      return true
    }
    return state.withLock { !$0.isAtEnd }
  }

  /// Adds items that were read; none means that there are no more.
  func add(_ items: [(item: BatchItem, host: String)]) {
    change { state in
      if items.isEmpty { state.isAtEnd = true }
      guard !state.isAtEnd else { return }
      for (item, host) in items { state.queue.append(item, host: host) }
    }
  }

  /// Lets no further item start.
  func stop() {
    limit.close()
    change { state in
      state.isAtEnd = true
      state.queue.removeAll()
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

  /// Waits if the body has kept the task; it returns whether it has.
  private func wait(_ keep: @Sendable (inout State, Waiter) -> Bool) async {
    await withCheckedContinuation { waiter in
      if !state.withLock({ keep(&$0, waiter) }) { waiter.resume() }
    }
  }
}

extension BatchDesk {
  /// What a task that sends requests does next.
  private enum Step {
    case start(host: String, item: BatchItem)
    case pause(Duration)
    case wait
    case over
  }

  private struct State {
    private let readAhead: Int
    private var pacer: RequestPacer?
    var queue: BatchQueue<BatchItem>
    /// Whether no other item comes.
    var isAtEnd = false
    /// Whether a task waits for the rate, and then takes the next item.
    var isPausing = false
    /// Tasks that wait for an item.
    var workers: [Waiter] = []
    /// The task that reads, if it waits for a place.
    var reader: Waiter?

    init(_ options: BatchOptions) {
      readAhead = 2 * options.parallel
      queue = BatchQueue(limitPerHost: options.parallelPerHost)
      pacer = options.rate.map(RequestPacer.init)
    }

    var isFull: Bool { !isAtEnd && queue.count >= readAhead }
    private var isOver: Bool { isAtEnd && queue.count == 0 }
    var mustWait: Bool { !isOver && (isPausing || !queue.hasStartable) }

    mutating func step(at now: ContinuousClock.Instant) -> Step {
      if isOver { return .over }
      if mustWait { return .wait }
      if let delay = pacer?.delay(at: now), delay > .zero {
        isPausing = true
        return .pause(delay)
      }
      guard let (host, item) = queue.start() else { return .wait }
      pacer?.noteStart(at: now)
      return .start(host: host, item: item)
    }

    /// Those whose wait is over: all at the end, else one, who calls the next.
    mutating func takeReady() -> [Waiter] {
      var ready: [Waiter] = []
      if !isFull, let reader = reader.take() { ready.append(reader) }
      if isOver {
        ready += workers
        workers = []
      } else if !workers.isEmpty, !mustWait {
        ready.append(workers.removeLast())
      }
      return ready
    }
  }
}
