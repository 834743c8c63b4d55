import Synchronization

/// Lets one task at a time settle which identity a host gets; the others wait for its result.
final class IdentityFlights: Sendable {
  /// The identity that a host gets from now on.
  struct Landing: Sendable {
    let identity: Identity?
    /// Whether it was obtained just now, so that a refusal is final.
    let isFresh: Bool
  }

  /// What a task does that needs an identity.
  enum Place: Sendable {
    /// It settles the matter, and ends with ``end(_:_:)``.
    case leader
    /// Another task has settled it meanwhile.
    case follower(Result<Landing, SDKError>)
  }

  private typealias Waiter = CheckedContinuation<Result<Landing, SDKError>, Never>
  private typealias Waiters = [Int: Waiter]

  private struct State {
    var flights: [String: Waiters] = [:]
    var count = 0
  }

  private let state = Mutex(State())

  /// Takes the lead for a host, or waits for who has it.
  ///
  /// - Throws: ``SDKError/Code/cancelled``.
  func join(_ host: String) async throws(SDKError) -> Place {
    let number: Int? = state.withLock { state in
      guard state.flights[host] != nil else {
        state.flights[host] = [:]
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
  func end(_ host: String, _ result: Result<Landing, SDKError>) {
    let waiters = state.withLock { $0.flights.removeValue(forKey: host) }
    for waiter in (waiters ?? [:]).values { waiter.resume(returning: result) }
  }

  private func wait(_ waiter: Waiter, _ number: Int, _ host: String) {
    let isOver = state.withLock { state in
      // Between joining and waiting the flight may have ended, or the task was cancelled.
      guard state.flights[host] != nil, !Task.isCancelled else { return true }
      state.flights[host]?[number] = waiter
      return false
    }
    if isOver { waiter.resume(returning: .failure(Self.cancelled)) }
  }

  private func leave(_ number: Int, _ host: String) {
    let waiter = state.withLock { $0.flights[host]?.removeValue(forKey: number) }
    waiter?.resume(returning: .failure(Self.cancelled))
  }

  static let cancelled = SDKError(.cancelled, cause: "cancelled")
}
