import Synchronization

/// How many transfers of a group run at the same time.
///
/// A transport starts the next one that waits as soon as one has ended: without going back to the
/// task that sent it, which costs more than a short transfer.
public final class TransferLimit: Sendable {
  /// How many run at the same time; at least 1.
  public let count: Int
  private let running = Atomic(0)
  private let closed = Atomic(false)

  /// Makes a limit.
  public init(_ count: Int) { self.count = max(1, count) }

  /// Whether no other transfer may start now.
  public var isReached: Bool { running.load(ordering: .relaxed) >= count }

  /// Whether no other transfer may start ever.
  public var isClosed: Bool { closed.load(ordering: .relaxed) }

  /// Lets no other transfer start: those that wait are cancelled.
  public func close() { closed.store(true, ordering: .relaxed) }

  /// Counts a transfer that starts; called by the transport.
  public func noteStart() { running.add(1, ordering: .relaxed) }

  /// No longer counts a transfer; called by the transport.
  public func noteEnd() { running.subtract(1, ordering: .relaxed) }
}

/// The turn of one request in a group with a limit.
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

  /// Whether the request waits, and nothing of it was sent.
  public var isWaiting: Bool { state.withLock { $0.waitsSince != nil } }

  /// How long it has waited: for redirects and repetitions, all together.
  public var waited: Duration { state.withLock { $0.waited } }

  /// The transfer waits; called by the transport.
  public func noteWait() { state.withLock { $0.waitsSince = .now } }

  /// The wait is over; called by the transport.
  public func noteStart() {
    state.withLock { state in
      guard let start = state.waitsSince else { return }
      state.waited += start.duration(to: .now)
      state.waitsSince = nil
    }
  }
}
