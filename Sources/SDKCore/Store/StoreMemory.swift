import Synchronization

/// Values that a session has read from files of its store, each kept for a second.
///
/// So ten thousand requests do not read the same documents ten thousand times. A document that this process
/// writes is read again at the next request, one that another process writes within a second. What
/// changes a document reads it again, under its lock.
final class StoreMemory<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Entry {
    let value: Value
    let read: ContinuousClock.Instant
    let changes: Int
  }

  private let entries = Mutex<[Key: Entry]>([:])
  private let lifetime: Duration

  init(lifetime: Duration = .seconds(1)) { self.lifetime = lifetime }

  func value(
    of key: Key, _ read: () async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    // Before the document is read: a change in between is then noticed.
    let (now, changes) = (ContinuousClock.now, StoreDocument.changes)
    if let kept = entries.withLock({ $0[key] }), kept.changes == changes, now - kept.read < lifetime
    {
      return kept.value
    }
    let entry = Entry(value: try await read(), read: now, changes: changes)
    entries.withLock { $0[key] = entry }
    return entry.value
  }
}
