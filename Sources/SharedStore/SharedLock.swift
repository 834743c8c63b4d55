import JSON
import OpenSSL
import POSIX
import Primitives
import SDKCore
import Synchronization

extension SharedPlace {
  func locked<Value: Sendable>(
    _ path: String, waiting timeout: Duration, mustRun: Bool,
    unless done: () async throws(SDKError) -> Value?,
    _ body: (Presentation) async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    // Another process of this machine may have done it, while this one waited for the machine's lock.
    if let value = try await done() { return value }
    // Without a key nothing could be stored.
    _ = try files.keys().newest()
    let lock = SharedLock(path, of: self)
    do throws(SDKError) {
      if let value = try await lock.acquired(until: .now + timeout, unless: done) { return value }
    } catch {
      // What it writes is stored later.
      guard mustRun, error.code == .network else { throw error }
      return try await body(Presentation())
    }
    var presentation = Presentation()
    presentation.confirm = { (token) async throws(SDKError) in try await lock.confirmed(token) }
    presentation.noteRefusal = { lock.noteRefusal() }
    let result: Result<Value, SDKError>
    do throws(SDKError) {
      result = .success(try await body(presentation))
    } catch {
      result = .failure(error)
    }
    // A detached task, because it must end also if this one is cancelled.
    let ending = await Task.detached { await lock.end() }.value
    let value = try result.get()
    try ending.get()
    return value
  }
}

/// The lock of a document of a shared store.
///
/// 1. It is a key that is made if it does not exist, under a lease which is kept alive; the same request reads the
///    documents again, and this machine takes them.
/// 2. Before a refresh token is presented, a note says who presents it. Nobody else does so for five minutes, or until a
///    newer document is stored.
/// 3. At the end one request stores what was written, if the lock is still ours and the documents are what was read, and
///    frees the lock. If the lock was lost, but the documents are what was read, they are stored all the same; otherwise
///    those of the store win (``SDKError/Code/changedElsewhere``). Without an answer they are kept, and stored later.
final class SharedLock: Sendable {
  private struct State {
    /// The revision at which the lock was made.
    var created: Int64 = 0
    var snapshot: SharedSnapshot?
    /// Whether the note of who presents a token is of no use any more.
    var isRefused = false
  }

  private let place: SharedPlace
  private let path: String
  /// The documents whose locks of the machine this task holds.
  private let held: Set<String>
  private let lease: SharedLease
  private let state = Mutex(State())

  init(_ path: String, of place: SharedPlace) {
    self.path = path
    self.place = place
    held = Set(SharedPlace.related(path).filter(place.locks.areHeld) + [path])
    lease = SharedLease(of: place.store)
  }

  private var key: String { SharedSnapshot.lockKey(path, place.prefix) }

  // MARK: Waiting

  /// Waits for the lock, and takes it.
  ///
  /// - Returns: what `done` returns after another machine has changed a document: then the lock is not taken.
  func acquired<Value: Sendable>(
    until deadline: ContinuousClock.Instant, unless done: () async throws(SDKError) -> Value?
  ) async throws(SDKError) -> Value? {
    let result: Result<Value?, SDKError>
    do throws(SDKError) {
      result = .success(try await taken(until: deadline, unless: done))
    } catch {
      result = .failure(error)
    }
    if case .success(nil) = result { return nil }
    // The cluster may have made the lock all the same if a request failed, and others would wait for it.
    await Task.detached { [lease] in await lease.end() }.value
    return try result.get()
  }

  private func taken<Value: Sendable>(
    until deadline: ContinuousClock.Instant, unless done: () async throws(SDKError) -> Value?
  ) async throws(SDKError) -> Value? {
    var current = try await place.load(path)
    while true {
      if try await place.take(current, holding: held), let value = try await done() { return value }
      if let holder = current.holder(path), holder.lease != lease.id {
        current = try await changed(current, holder, until: deadline)
        continue
      }
      current = try await tried()
      guard let holder = current.holder(path), holder.lease == lease.id else {
        guard ContinuousClock.now < deadline else { throw busy(current.holder(path)) }
        continue
      }
      if try await place.take(current, holding: held), let value = try await done() {
        return value
      }
      lease.keepAlive()
      let stored = try await place.storeAhead(held, current)
      state.withLock { $0 = State(created: holder.created, snapshot: stored) }
      return nil
    }
  }

  /// Tries to make the lock, and reads what there is.
  private func tried() async throws(SDKError) -> SharedSnapshot {
    let paths = SharedPlace.related(path)
    let lease = try await lease.obtained()
    do throws(SDKError) {
      return try await place.commit(
        KeyTransaction(
          conditions: [.created(key, 0)],
          puts: [.init(key: key, value: Array(place.owner().utf8), lease: lease)]), reading: paths
      ).snapshot
    } catch {
      guard error.code == .changedElsewhere else { throw error }
      // The lease has vanished before it was used.
      self.lease.abandon()
      return try await place.load(path)
    }
  }

  /// Waits until the lock or its document has changed.
  private func changed(
    _ current: SharedSnapshot, _ holder: SharedSnapshot.Holder,
    until deadline: ContinuousClock.Instant
  ) async throws(SDKError) -> SharedSnapshot {
    let left = ContinuousClock.now.duration(to: deadline)
    guard left > .zero else { throw busy(holder) }
    guard
      let changes = try await place.store.changes(
        of: SharedSnapshot.keys(path, place.prefix), after: current.revision,
        waiting: min(left, Self.watch))
    else {
      // The time of the command may be over too, and no node would be asked.
      guard ContinuousClock.now < deadline else { throw busy(holder) }
      return try await place.load(path)
    }
    var snapshot = current
    snapshot.apply(changes)
    return snapshot
  }

  private func busy(_ holder: SharedSnapshot.Holder?) -> SDKError {
    let text = VisibleText.of(holder?.text ?? "another machine", .space, limit: 200)
    return SDKError(
      .busy, "could not get the lock of '\(place.title(of: path))': \(text) holds it",
      subject: path)
  }

  // MARK: Presenting

  /// Confirms the lock, and leaves the note of who presents a token.
  ///
  /// - Returns: until when the lease lives.
  func confirmed(_ token: String) async throws(SDKError) -> ContinuousClock.Instant? {
    guard let snapshot = state.withLock({ $0.snapshot }) else { return nil }
    let time = place.now() + place.store.behind
    let note = PresentationNote(
      machine: place.machine, owner: place.owner(), token: try Self.name(token), time: time,
      counter: try await place.files.load(path).base)
    if let other = snapshot.note(path), other.forbids(note) {
      let text = VisibleText.of(other.owner, .space, limit: 200)
      throw SDKError(
        .busy,
        "could not present the refresh token of '\(place.title(of: path))': \(text) has presented it, and has not "
          + "stored what came of it", subject: path)
    }
    let until = lease.until
    let created = state.withLock { state in
      state.isRefused = false
      return state.created
    }
    let outcome = try await place.store.commit(
      KeyTransaction(
        conditions: [.created(key, created)],
        puts: [.init(key: SharedSnapshot.noteKey(path, place.prefix), value: note.bytes)],
        reads: [key]))
    guard outcome.succeeded || outcome.read.values[key]?.created == created else {
      throw SDKError(
        .busy, "could not use '\(place.title(of: path))': its lock was lost meanwhile",
        subject: path)
    }
    return until
  }

  /// Notes that the server has not replaced the token, so that others may present it.
  func noteRefusal() { state.withLock { $0.isRefused = true } }

  private static func name(_ token: String) throws(SDKError) -> String {
    Base64.encode(
      try digest(of: Array("refresh token".utf8) + Array(token.utf8)), alphabet: .url)
  }

  // MARK: The end

  /// Stores what was written under the lock, and frees it.
  func end() async -> Result<Void, SDKError> {
    do throws(SDKError) {
      try await store()
      await lease.end()
      return .success(())
    } catch {
      guard error.code == .network else {
        await lease.end()
        return .failure(error)
      }
      // The lock ends with its lease; what is ahead is stored later.
      lease.abandon()
      let isKept = (try? await place.pending(held))?.allSatisfy { $0.file.state == .ahead }
      return isKept == true ? .success(()) : .failure(error)
    }
  }

  private func store() async throws(SDKError) {
    let paths = SharedPlace.related(path)
    let (created, first) = state.withLock { ($0.created, $0.snapshot) }
    guard var snapshot = first else { return }
    var isLocked = true
    for _ in 0..<Self.attempts {
      let pending = try await place.pending(held)
      let isRefused = state.withLock { $0.isRefused } && isLocked
      guard !pending.isEmpty || isRefused else { return }
      let hasStored: Bool
      (hasStored, snapshot) = try await place.commit(
        KeyTransaction(
          conditions: pending.map { snapshot.isUnchanged($0.path) }
            + (isLocked ? [.created(key, created)] : []),
          puts: pending.map { .init(key: place.files.key($0.path), value: $0.file.value) },
          deletions: isLocked ? [key, SharedSnapshot.noteKey(path, place.prefix)] : [],
          isUrgent: true), reading: paths)
      if isLocked, hasStored { lease.abandon() }
      // The answer to a request that was sent twice may be that of the second one.
      let isReplaced = isLocked && !hasStored ? await isFreed(in: snapshot) : false
      try await place.take(snapshot, holding: held)
      for (path, file) in pending where !isReplaced {
        let now = try await place.files.load(path)
        guard now.value != file.value else { continue }
        throw SDKError(
          .changedElsewhere,
          "could not store '\(place.title(of: path))': the lock was lost, and another machine has changed it meanwhile"
        )
      }
      isLocked = false
    }
    throw SDKError(
      .network, "could not store '\(place.title(of: path))': other machines change it all the time",
      subject: path)
  }

  /// Whether the lock was freed by an earlier request of ours, whose answer was lost.
  ///
  /// A lock of a lease that lives vanishes only if its holder frees it. Another machine has then replaced what was
  /// stored.
  private func isFreed(in snapshot: SharedSnapshot) async -> Bool {
    guard let id = lease.id, snapshot.holder(path)?.lease != id else { return false }
    return (try? await place.store.keepAlive(id)) == true
  }

  /// A node that hangs while a process waits there costs at most this.
  private static let watch = Duration.seconds(10)
  private static let attempts = 4
}
