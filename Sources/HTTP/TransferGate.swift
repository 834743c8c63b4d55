import Synchronization

/// Suspends and resumes a running transfer.
///
/// While it is suspended, no byte of a body is sent or received. The server may close the connection if
/// that takes too long.
public final class TransferGate: Sendable {
  private struct State {
    var isSuspended = false
    var observer: (@Sendable (Bool) -> Void)?
    /// Whether the observer was last called with `true`.
    var observedSuspended = false
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    var next = 0
  }

  private let state = Mutex(State())
  /// Held while the observer is called, so that it gets two changes at once in their order.
  private let calling = Mutex(())

  /// Makes a gate that is open.
  public init() {}

  /// Whether transfers are suspended.
  public var isSuspended: Bool { state.withLock { $0.isSuspended } }

  /// Suspends the transfer, or resumes it.
  public func setSuspended(_ isSuspended: Bool) {
    let waiters = state.withLock { state in
      state.isSuspended = isSuspended
      guard !isSuspended else { return [CheckedContinuation<Void, Never>]() }
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    callObserver()
    for waiter in waiters { waiter.resume() }
  }

  /// Sets the observer, which is called with every change: `true` to suspend, `false` to resume.
  ///
  /// It is called at once if the gate is suspended now. It must not call the gate. `nil` removes it.
  public func observe(_ observer: (@Sendable (Bool) -> Void)?) {
    state.withLock { state in
      state.observer = observer
      state.observedSuspended = false
    }
    callObserver()
  }

  /// Calls the observer if the state is another one than at the last call.
  private func callObserver() {
    calling.withLock { _ in
      let (observer, isSuspended) = state.withLock { state in
        defer { state.observedSuspended = state.isSuspended }
        let isChanged = state.observedSuspended != state.isSuspended
        return (isChanged ? state.observer : nil, state.isSuspended)
      }
      observer?(isSuspended)
    }
  }

  /// Waits until the transfer may go on, or the task is cancelled.
  public func waitUntilOpen() async {
    let ticket = state.withLock { state in
      state.next += 1
      return state.next
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let goesOn = state.withLock { state in
          if !state.isSuspended || Task.isCancelled { return true }
          state.waiters[ticket] = continuation
          return false
        }
        if goesOn { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: ticket) }?.resume()
    }
  }
}
