import Synchronization

/// Lets one task at a time decide which identity a host gets; the others wait for its decision.
final class IdentityDecisions: Sendable {
  /// The identity that a host gets from now on.
  struct Decision: Sendable {
    let identity: Identity?
    /// Whether it was obtained just now, so that a refusal is final.
    let isFresh: Bool
  }

  /// What a task does that needs an identity.
  enum Place: Sendable {
    /// It decides, and then calls ``end(_:_:)``.
    case leader
    /// Another task has decided.
    case follower(Result<Decision, SDKError>)
  }

  private typealias Waiter = CheckedContinuation<Result<Decision, SDKError>, Never>
  private typealias Waiters = [Int: Waiter]

  private struct State {
    var waiters: [String: Waiters] = [:]
    var count = 0
  }

  private let state = Mutex(State())

  /// Takes the lead for a host, or waits for who has it.
  ///
  /// - Throws: ``SDKError/Code/cancelled``.
  func join(_ host: String) async throws(SDKError) -> Place {
    let number: Int? = state.withLock { state in
      guard state.waiters[host] != nil else {
        state.waiters[host] = [:]
        return nil
      }
      state.count += 1
      return state.count
    }
    guard let number else { return .leader }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { wait($0, number, host) }
    } onCancel: {
      leave(number, host)
    }
    if Task.isCancelled { throw Self.cancelled }
    return .follower(result)
  }

  /// Ends the lead and passes the result on to all that wait.
  func end(_ host: String, _ result: Result<Decision, SDKError>) {
    let waiters = state.withLock { $0.waiters.removeValue(forKey: host) }
    for waiter in (waiters ?? [:]).values { waiter.resume(returning: result) }
  }

  private func wait(_ waiter: Waiter, _ number: Int, _ host: String) {
    let isOver = state.withLock { state in
      // Between joining and waiting the decision may have been made, or the task was cancelled.
      guard state.waiters[host] != nil, !Task.isCancelled else { return true }
      state.waiters[host]?[number] = waiter
      return false
    }
    if isOver { waiter.resume(returning: .failure(Self.cancelled)) }
  }

  private func leave(_ number: Int, _ host: String) {
    let waiter = state.withLock { $0.waiters[host]?.removeValue(forKey: number) }
    waiter?.resume(returning: .failure(Self.cancelled))
  }

  static let cancelled = SDKError(.cancelled, cause: "cancelled")
}
