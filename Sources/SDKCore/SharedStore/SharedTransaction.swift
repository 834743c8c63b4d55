import JSON
import POSIX
import Primitives
import Synchronization

/// What one process does under locks of a shared place.
///
/// 1. A lock is a key that is made if it does not exist, under a lease which is kept alive; the same
///    request reads the documents again.
/// 2. What is written is held back, and ends with one request: it is stored if the locks are still ours and the
///    documents are what was read, and the locks are freed.
/// 3. If a lock was lost, but the document is what was read, it is stored all the same; otherwise it is dropped
///    (``SDKError/Code/changedElsewhere``).
final class SharedTransaction: PlaceTransaction {
  private struct State {
    /// The revisions at which our locks were made, by their documents.
    var locks: [String: Int64] = [:]
    var snapshot: SharedSnapshot?
    /// What was written; `nil` for a document that was removed.
    var pending: [String: JSONObject?] = [:]
  }

  let place: SharedPlace
  /// The key for all that it writes; `nil` for the one that each document has.
  private let key: StoreKey?
  private let lease: SharedLease
  private let state = Mutex(State())

  init(_ place: SharedPlace, encryptingWith key: StoreKey? = nil) {
    self.place = place
    self.key = key
    lease = SharedLease(of: place.store)
  }

  func read(_ path: String) async throws(SDKError) -> JSONObject? {
    if let written = state.withLock({ $0.pending[path] }) { return written }
    return try place.document(path, in: try await snapshot(of: path))?.members
  }

  /// Writes a document, or removes it; stored when the lock ends.
  func write(_ members: JSONObject?, to path: String) async throws(SDKError) {
    _ = try await snapshot(of: path)
    let isFirst = state.withLock { state in
      defer { state.pending[path] = .some(members) }
      return state.pending.isEmpty
    }
    // What a server has just sent is lost if a signal ends the process now.
    if isFirst { CriticalSection.begin() }
  }

  /// Takes what was read again.
  func absorb(_ other: SharedSnapshot) {
    state.withLock { state in
      if state.snapshot?.merge(other) == nil { state.snapshot = other }
    }
  }

  private func snapshot(of path: String) async throws(SDKError) -> SharedSnapshot {
    if let known = state.withLock({ $0.snapshot }), known.paths.contains(path) { return known }
    absorb(try await place.load(path))
    return try await snapshot(of: path)
  }

  // MARK: Locks

  /// Waits for the lock of a document, and takes it.
  ///
  /// - Returns: what `done` returns after another machine has changed the document: then the lock is not taken.
  func lock<Value: Sendable>(
    _ path: String, waiting timeout: Duration, unless done: () async throws(SDKError) -> Value?
  ) async throws(SDKError) -> Value? {
    guard state.withLock({ $0.locks[path] }) == nil else { return nil }
    let result: Result<Value?, SDKError>
    do throws(SDKError) {
      result = .success(try await taken(path, until: ContinuousClock.now + timeout, unless: done))
    } catch {
      result = .failure(error)
    }
    await endUnusedLease()
    return try result.get()
  }

  private func taken<Value: Sendable>(
    _ path: String, until deadline: ContinuousClock.Instant,
    unless done: () async throws(SDKError) -> Value?
  ) async throws(SDKError) -> Value? {
    // Another process of this machine may have done it, while this one waited for the machine's lock.
    if let value = try await done() { return value }
    var current = try await place.recentSnapshot(of: path)
    while true {
      if let holder = current.holder(path), holder.lease != lease.id {
        let before = current.value(path)
        current = try await changed(path, current, holder, until: deadline)
        if current.value(path) != before, let value = try await done() { return value }
        continue
      }
      current = try await take(path)
      if let holder = current.holder(path), holder.lease == lease.id {
        state.withLock { $0.locks[path] = holder.created }
        absorb(current)
        lease.keepAlive()
        return nil
      }
      guard ContinuousClock.now < deadline else { throw busy(path, current.holder(path)) }
      if let value = try await done() { return value }
    }
  }

  /// Tries to make the lock, and reads what there is.
  private func take(_ path: String) async throws(SDKError) -> SharedSnapshot {
    let (paths, known) = (SharedPlace.related(path), try place.seen(path))
    let lock = SharedSnapshot.lockKey(path, place.prefix)
    let lease = try await lease.obtained()
    do throws(SDKError) {
      let outcome = try await place.store.commit(
        KeyTransaction(
          conditions: [.created(lock, 0)],
          puts: [.init(key: lock, value: Array(place.owner().utf8), lease: lease)],
          reads: paths.map { SharedSnapshot.keys($0, place.prefix) }))
      return place.note(
        SharedSnapshot(outcome.read, of: paths, below: place.prefix, knowing: known), path)
    } catch {
      guard error.code == .changedElsewhere else { throw error }
      // The lease has vanished before it was used.
      self.lease.abandon()
      return try await place.load(path)
    }
  }

  /// Waits until the lock or its document has changed.
  private func changed(
    _ path: String, _ current: SharedSnapshot, _ holder: SharedSnapshot.Holder,
    until deadline: ContinuousClock.Instant
  ) async throws(SDKError) -> SharedSnapshot {
    let left = ContinuousClock.now.duration(to: deadline)
    guard left > .zero else { throw busy(path, holder) }
    guard
      let changes = try await place.store.changes(
        of: SharedSnapshot.keys(path, place.prefix), after: current.revision,
        waiting: min(left, Self.watch))
    else { return try await place.load(path) }
    var snapshot = current
    snapshot.apply(changes)
    return place.note(snapshot, path)
  }

  private func busy(_ path: String, _ holder: SharedSnapshot.Holder?) -> SDKError {
    let text = VisibleText.of(holder?.text ?? "another machine", .space, limit: 200)
    return SDKError(
      .busy, "could not get the lock of '\(place.title(of: path))': \(text) holds it",
      subject: path)
  }

  /// Ends the lease if no lock is known to be ours: the cluster may have made one all the same if the request
  /// failed, and others would wait for it.
  private func endUnusedLease() async {
    guard state.withLock({ $0.locks.isEmpty }) else { return }
    // A detached task, because it must end also if this one is cancelled.
    await Task.detached { [lease] in await lease.end() }.value
  }

  // MARK: The end

  /// Stores what was written so far; the locks stay.
  func flush() async throws(SDKError) { try await commit(freeing: []) }

  /// Ends a lock: stores what was written under it and those around it.
  func end(_ path: String, isOutermost: Bool) async -> Result<Void, SDKError> {
    let result: Result<Void, SDKError>
    do throws(SDKError) {
      let freed = state.withLock { isOutermost ? Array($0.locks.keys) : [path] }
      result = .success(try await commit(freeing: freed))
    } catch {
      result = .failure(error)
    }
    guard isOutermost else { return result }
    if state.withLock({ $0.locks.isEmpty }) {
      lease.abandon()
    } else {
      state.withLock { $0.locks = [:] }
      await lease.end()
    }
    return result
  }

  private func commit(freeing freed: [String]) async throws(SDKError) {
    let (pending, locks, snapshot) = state.withLock { ($0.pending, $0.locks, $0.snapshot) }
    guard !pending.isEmpty, let snapshot else { return }
    defer {
      state.withLock { $0.pending = [:] }
      CriticalSection.end()
    }
    let conditions = pending.keys.map { path in
      KeyTransaction.Condition.modified(
        SharedSnapshot.valueKey(path, place.prefix), snapshot.value(path)?.modified ?? 0)
    }
    let locked = Set(freed).union(pending.keys).compactMap { path in
      locks[path].map {
        (path: path, key: SharedSnapshot.lockKey(path, place.prefix), created: $0)
      }
    }
    var puts: [KeyTransaction.Put] = []
    for (path, members) in pending {
      puts.append(try place.put(members, path, over: snapshot, with: key))
    }
    var transaction = KeyTransaction(
      conditions: conditions + locked.map { .created($0.key, $0.created) }, puts: puts,
      deletions: locked.filter { freed.contains($0.path) }.map(\.key),
      reads: pending.keys.map { SharedSnapshot.keys($0, place.prefix) })
    var outcome = try await place.store.commit(transaction)
    if !outcome.succeeded, Self.isUnchanged(conditions, outcome.read) {
      // A lock was lost, but nobody has changed what it guards: what we have is the newest.
      (transaction.conditions, transaction.deletions) = (conditions, [])
      outcome = try await place.store.commit(transaction)
    }
    // The answer to a request that was sent twice may be that of the second one.
    var isStored = outcome.succeeded || Self.isStored(transaction.puts, outcome.read)
    if !isStored { isStored = await hasFreed(transaction.deletions, of: locked, outcome.read) }
    guard isStored else {
      throw SDKError(
        .changedElsewhere,
        "could not store '\(pending.keys.sorted().map(place.title).joined(separator: "', '"))': the lock was "
          + "lost, and another machine has changed it meanwhile")
    }
    let paths = Array(pending.keys)
    absorb(
      SharedSnapshot(
        outcome.read, of: paths, below: place.prefix, knowing: snapshot.known))
    state.withLock { state in
      for path in freed { state.locks[path] = nil }
    }
    if let path = paths.first, let all = state.withLock({ $0.snapshot }) { place.note(all, path) }
  }

  /// Whether an earlier request of this transaction was done, and its answer lost.
  ///
  /// A lock of a lease that lives vanishes only if its holder frees it. Another machine has then replaced what was
  /// stored.
  private func hasFreed(
    _ keys: [String], of locks: [(path: String, key: String, created: Int64)], _ read: KeyValues
  ) async -> Bool {
    let isGone = locks.contains { lock in
      keys.contains(lock.key) && read.values[lock.key]?.created != lock.created
    }
    guard isGone, let id = lease.id else { return false }
    return (try? await place.store.keepAlive(id)) == true
  }

  private static func isUnchanged(
    _ conditions: [KeyTransaction.Condition], _ read: KeyValues
  ) -> Bool {
    conditions.allSatisfy { condition in
      guard case .modified(let key, let revision) = condition else { return false }
      return (read.values[key]?.modified ?? 0) == revision
    }
  }

  private static func isStored(_ puts: [KeyTransaction.Put], _ read: KeyValues) -> Bool {
    puts.allSatisfy { read.values[$0.key]?.value == $0.value }
  }

  /// A node that hangs while a process waits there costs at most this.
  private static let watch = Duration.seconds(10)
}
