import Synchronization

/// Suspends and resumes a transfer while it runs.
///
/// While it is suspended no byte of a body is sent or received; the server may end the connection
/// if that lasts too long for it.
public final class TransferGate: Sendable {
  private struct State {
    var isSuspended = false
    var observer: (@Sendable (Bool) -> Void)?
    /// What the observer was told last.
    var told = false
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    var next = 0
  }

  private let state = Mutex(State())
  /// Held while the observer is told: two changes at once reach it in their order.
  private let telling = Mutex(())

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
    tell()
    for waiter in waiters { waiter.resume() }
  }

  /// Tells a transport of every change, and of the state now if that is suspended; `nil` ends it.
  ///
  /// The observer must not call the gate.
  public func observe(_ observer: (@Sendable (Bool) -> Void)?) {
    state.withLock { state in
      state.observer = observer
      state.told = false
    }
    tell()
  }

  /// Tells the observer of the state, if that is not what it was told last.
  private func tell() {
    telling.withLock { _ in
      let (observer, isSuspended) = state.withLock { state in
        defer { state.told = state.isSuspended }
        return (state.told == state.isSuspended ? nil : state.observer, state.isSuspended)
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
