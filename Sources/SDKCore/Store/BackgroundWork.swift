import POSIX
import Primitives
import Synchronization

/// Runs what blocks or computes for long on a thread of its own, and waits for it without a thread.
///
/// The wait ends if the task is cancelled or the time is over; the work goes on, and its result is
/// dropped. So the work must end by itself.
package func onBackgroundThread<Value: Sendable>(
  atMost time: Duration? = nil, _ body: @escaping @Sendable () throws(SDKError) -> Value
) async throws(SDKError) -> Value {
  let done = OneShot<Result<Value, SDKError>>()
  do {
    try BackgroundThread.start { done.set(Result { () throws(SDKError) in try body() }) }
  } catch {
    throw SDKError(.unavailable, cause: "no thread could be started: \(error)")
  }
  if let result = await done.wait(timeout: time) { return try result.get() }
  if Task.isCancelled { throw SDKError.cancelled }
  throw SDKError(.localData, cause: "it takes longer than the time allows")
}

/// Computes on a thread of its own, and to its end, also if the task is cancelled.
package func toItsEnd<Value: Sendable>(
  _ body: @escaping @Sendable () throws(SDKError) -> Value
) async throws(SDKError) -> Value {
  let result = try await attempt(as: .unavailable) {
    try await BackgroundThread.run { Result { () throws(SDKError) in try body() } }
  }
  return try result.get()
}

/// Work that several tasks want done: one runs it, and the others get the same result.
final class SharedTask<Value: Sendable>: Sendable {
  private let running = Mutex<Task<Result<Value, SDKError>, Never>?>(nil)

  /// The result of the work, which is run unless it is running or has succeeded (or failed, if it `keepsFailure`).
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

  func forget() { running.withLock { $0 = nil } }
}

final class LazyValue<Value: Sendable>: Sendable {
  private let make: @Sendable () -> Value
  private let made = Mutex<Value?>(nil)

  init(_ make: @escaping @Sendable () -> Value) { self.make = make }

  var value: Value {
    made.withLock { made in
      let value = made ?? make()
      made = value
      return value
    }
  }
}
