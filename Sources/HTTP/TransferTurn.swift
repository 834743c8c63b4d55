import Synchronization

/// A limit for the number of transfers of a group that run at the same time.
///
/// The transport itself starts the next waiting transfer when one has ended. To resume the task that
/// sent it first would take longer than a short transfer.
///
/// The limit begins at 24 at most, and the transport raises it as long as it would otherwise wait for
/// servers. While it has enough to do, more transfers are not faster: each new connection needs a
/// handshake and memory.
public final class TransferLimit: Sendable {
  /// How many run at the same time at most; at least 1.
  public let count: Int
  /// How many may run now.
  private let current: Atomic<Int>
  private let running = Atomic(0)
  private let closed = Atomic(false)

  /// Makes a limit.
  public init(_ count: Int) {
    self.count = max(1, count)
    current = Atomic(min(self.count, Self.first))
  }

  /// Whether no other transfer may start now.
  public var isReached: Bool {
    running.load(ordering: .relaxed) >= current.load(ordering: .relaxed)
  }

  /// Whether no other transfer may start before one has ended.
  public var isFull: Bool { running.load(ordering: .relaxed) >= count }

  /// Allows one transfer more than now, but not more than ``count``; called by the transport.
  public func raise() {
    let current = current.load(ordering: .relaxed)
    if current < count { self.current.store(current + 1, ordering: .relaxed) }
  }

  /// Whether no other transfer may start ever.
  public var isClosed: Bool { closed.load(ordering: .relaxed) }

  /// Cancels the waiting transfers; no other transfer starts.
  public func close() { closed.store(true, ordering: .relaxed) }

  /// Counts a transfer that starts; called by the transport.
  public func noteStart() { running.add(1, ordering: .relaxed) }

  /// No longer counts a transfer; called by the transport.
  public func noteEnd() { running.subtract(1, ordering: .relaxed) }

  private static let first = 24
}

/// The place of one request in a group of transfers with a limit: it waits until it may start.
public final class TransferTurn: Sendable {
  private struct State {
    var waitsSince: ContinuousClock.Instant?
    var waited = Duration.zero
  }

  /// The limit of the group.
  public let limit: TransferLimit
  private let state = Mutex(State())

  /// Makes a turn.
  public init(_ limit: TransferLimit) { self.limit = limit }

  /// Whether the request waits; then nothing of it has been sent.
  public var isWaiting: Bool { state.withLock { $0.waitsSince != nil } }

  /// How long the request has waited, including its redirects and repetitions.
  public var waited: Duration { state.withLock { $0.waited } }

  /// Notes that the transfer waits; called by the transport.
  public func noteWait() { state.withLock { $0.waitsSince = .now } }

  /// Notes that the transfer starts; called by the transport.
  public func noteStart() {
    state.withLock { state in
      guard let start = state.waitsSince else { return }
      state.waited += start.duration(to: .now)
      state.waitsSince = nil
    }
  }
}
