import Synchronization

/// A value that is set once, and the tasks that wait for it.
package final class OneShot<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var waiters: [Int: CheckedContinuation<Value?, Never>] = [:]
    var next = 0
  }

  private let state = Mutex(State())

  package init() {}

  package var value: Value? { state.withLock { $0.value } }

  /// Sets the value; only the first call has an effect, and returns `true`.
  @discardableResult
  package func set(_ value: Value) -> Bool {
    let waiters = state.withLock { state -> [CheckedContinuation<Value?, Never>]? in
      if state.value != nil { return nil }
      state.value = value
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    waiters?.forEach { $0.resume(returning: value) }
    return waiters != nil
  }

  /// Waits for the value; `nil` if the task is cancelled or the time passes first.
  @discardableResult
  package func wait(timeout: Duration? = nil) async -> Value? {
    guard let timeout else { return await wait() }
    return await withTaskGroup(of: Value?.self) { group in
      group.addTask { await self.wait() }
      group.addTask {
        try? await Task.sleep(for: timeout)
        return self.value
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }

  /// Waits for the value also in a cancelled task; for values that will be set soon.
  @discardableResult
  package func waitRegardless() async -> Value? { await wait(ticket()) { false } }

  private func wait() async -> Value? {
    let ticket = ticket()
    return await withTaskCancellationHandler {
      await wait(ticket) { Task.isCancelled }
    } onCancel: {
      let waiter = state.withLock { $0.waiters.removeValue(forKey: ticket) }
      waiter?.resume(returning: nil)
    }
  }

  private func ticket() -> Int {
    state.withLock { state in
      state.next += 1
      return state.next
    }
  }

  private func wait(_ ticket: Int, unless isOver: () -> Bool) async -> Value? {
    await withCheckedContinuation { continuation in
      let now: Value?? = state.withLock { state in
        if let value = state.value { return .some(value) }
        if isOver() { return .some(nil) }
        state.waiters[ticket] = continuation
        return nil
      }
      if let now { continuation.resume(returning: now) }
    }
  }
}
