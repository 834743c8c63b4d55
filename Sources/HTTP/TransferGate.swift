import Synchronization

/// Suspends and resumes a transfer while it runs.
///
/// While it is suspended no byte of a body is sent or received; the server may end the connection
/// if that lasts too long for it.
public final class TransferGate: Sendable {
  private struct State {
    var isSuspended = false
    var observer: (@Sendable (Bool) -> Void)?
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    var next = 0
  }

  private let state = Mutex(State())

  /// Makes a gate that is open.
  public init() {}

  /// Whether transfers are suspended.
  public var isSuspended: Bool { state.withLock { $0.isSuspended } }

  /// Suspends the transfer, or resumes it.
  public func setSuspended(_ isSuspended: Bool) {
    let (observer, waiters) = state.withLock { state in
      guard state.isSuspended != isSuspended else {
        return (nil, [CheckedContinuation<Void, Never>]()) as (((Bool) -> Void)?, _)
      }
      state.isSuspended = isSuspended
      guard !isSuspended else { return (state.observer, []) }
      defer { state.waiters = [:] }
      return (state.observer, Array(state.waiters.values))
    }
    observer?(isSuspended)
    for waiter in waiters { waiter.resume() }
  }

  /// Tells a transport of every change, and of the state now if that is suspended; `nil` ends it.
  public func observe(_ observer: (@Sendable (Bool) -> Void)?) {
    let isSuspended = state.withLock { state in
      state.observer = observer
      return state.isSuspended
    }
    if isSuspended { observer?(true) }
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
