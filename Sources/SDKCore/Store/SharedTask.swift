import Primitives
import Synchronization

/// Work that several tasks want done: one runs it, and the others get the same result.
final class SharedTask<Value: Sendable>: Sendable {
  private let running = Mutex<Task<Result<Value, SDKError>, Never>?>(nil)

  /// The result of the work, which is run unless it is running or has succeeded.
  ///
  /// - Parameters:
  ///   - keepsFailure: whether a failure stays; if not, who asks after it runs the work anew.
  ///   - work: the work; it goes on if the task that asked for it is cancelled.
  /// - Returns: its result.
  /// - Throws: its error.
  func value(
    keepsFailure: Bool = false, _ work: @escaping @Sendable () async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    let task = running.withLock { running in
      let task = running ?? Task { await Result(of: work) }
      running = task
      return task
    }
    let result = await task.value
    if case .failure = result, !keepsFailure { running.withLock { if $0 == task { $0 = nil } } }
    return try result.get()
  }

  /// Forgets the result.
  func forget() { running.withLock { $0 = nil } }
}
