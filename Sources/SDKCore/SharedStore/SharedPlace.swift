import JSON
import POSIX
import Primitives
import Synchronization

/// A place for secrets that several machines share, in a replicated key-value store.
///
/// A document is a key-value pair with an encrypted value; its lock is one beside it, under a lease. What is
/// written under locks is stored in one transaction (``SharedTransaction``).
final class SharedPlace: SecretPlace {
  let store: any KeyValueStore
  let prefix: String
  /// What a message calls it.
  let name: String
  /// Who holds a lock that this process takes.
  let owner: @Sendable () -> String
  let keys: @Sendable () throws(SDKError) -> StoreKeys
  /// What the machine keeps of a user's documents.
  let copy: @Sendable (UserID) -> MachineCopy
  let now: @Sendable () -> Timestamp
  private let latest = Mutex<(snapshot: SharedSnapshot, time: ContinuousClock.Instant)?>(nil)

  init(
    _ store: any KeyValueStore, below prefix: String, called name: String,
    owner: @escaping @Sendable () -> String,
    keys: @escaping @Sendable () throws(SDKError) -> StoreKeys,
    copy: @escaping @Sendable (UserID) -> MachineCopy, now: @escaping @Sendable () -> Timestamp
  ) {
    (self.store, self.prefix, self.name, self.owner) = (store, prefix, name, owner)
    (self.keys, self.copy, self.now) = (keys, copy, now)
  }

  func read(_ path: String) async throws(SDKError) -> JSONObject? {
    if let transaction { return try await transaction.read(path) }
    return try document(path, in: try await recentSnapshot(of: path))?.members
  }

  func readRecent(_ path: String) async throws(SDKError) -> JSONObject? {
    if transaction == nil, let kept = try copy(Self.user(path)).recent(path, at: now()) {
      return kept
    }
    return try await read(path)
  }

  func readLocal(_ path: String) async throws(SDKError) -> JSONObject? {
    try copy(Self.user(path)).load().documents[path]
  }

  func readAgain(_ path: String) async throws(SDKError) -> JSONObject? {
    let snapshot = try await load(path)
    transaction?.absorb(snapshot)
    return try await read(path)
  }

  func write(_ members: JSONObject, to path: String) async throws(SDKError) {
    try await change(path, to: members)
  }

  func remove(_ path: String) async throws(SDKError) {
    do throws(SDKError) {
      guard try await read(path) != nil else { return }
    } catch {
      // What cannot be read is removed too.
      guard error.code == .untrusted else { throw error }
    }
    try await change(path, to: nil)
  }

  /// Removes a document, whether it can be read or not.
  private func change(_ path: String, to members: JSONObject?) async throws(SDKError) {
    if let transaction { return try await transaction.write(members, to: path) }
    try await locked(
      path, waiting: .seconds(60), unless: { () async throws(SDKError) -> Void? in nil }
    ) {
      () async throws(SDKError) in try await transaction?.write(members, to: path)
    }
  }

  /// Who has the lock has written to the cluster; otherwise it is enough that a majority answers.
  func proveWritable(_ path: String) async throws(SDKError) {
    _ = try keys().newest()
    if transaction == nil { _ = try await load(path) }
  }

  func title(of path: String) -> String { "\(path) in \(name)" }

  func flush() async throws(SDKError) { try await transaction?.flush() }

  func locked<Value: Sendable>(
    _ path: String, waiting timeout: Duration, unless done: () async throws(SDKError) -> Value?,
    _ body: () async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    try await locked(path, waiting: timeout, encryptingWith: nil, unless: done, body)
  }

  /// The same; what is written has this key, or the one that each document has.
  func locked<Value: Sendable>(
    _ path: String, waiting timeout: Duration, encryptingWith key: StoreKey?,
    unless done: () async throws(SDKError) -> Value?, _ body: () async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    let outer = transaction
    // Without a key nothing could be stored.
    _ = try keys().newest()
    let own = outer ?? SharedTransaction(self, encryptingWith: key)
    if let value = try await own.lock(path, waiting: timeout, unless: done) { return value }
    let result: Result<Value, SDKError>
    do throws(SDKError) {
      result = .success(try await PlaceTransactions.holding(own, body))
    } catch {
      result = .failure(error)
    }
    // A detached task, because it must end also if this one is cancelled.
    let ending = await Task.detached { await own.end(path, isOutermost: outer == nil) }.value
    let value = try result.get()
    try ending.get()
    return value
  }

  /// The transaction of this place that the task is in.
  var transaction: SharedTransaction? {
    let current = PlaceTransactions.current as? SharedTransaction
    return current?.place === self ? current : nil
  }
}

extension SharedPlace {
  /// The documents of the user whose document this is, from the cluster.
  func load(_ path: String) async throws(SDKError) -> SharedSnapshot {
    let (paths, known) = (Self.related(path), try seen(path))
    let values = try await store.read(paths.map { SharedSnapshot.keys($0, prefix) })
    return note(SharedSnapshot(values, of: paths, below: prefix, knowing: known), path)
  }

  /// The same, as they were within the last second.
  func recentSnapshot(of path: String) async throws(SDKError) -> SharedSnapshot {
    let kept = latest.withLock { $0 }
    if let kept, kept.snapshot.paths.contains(path), ContinuousClock.now - kept.time < .seconds(1) {
      return kept.snapshot
    }
    return try await load(path)
  }

  /// Keeps what was read or written last, and writes the machine's copy of it.
  @discardableResult
  func note(_ snapshot: SharedSnapshot, _ path: String) -> SharedSnapshot {
    latest.withLock { $0 = (snapshot, .now) }
    var documents: [String: SealedDocument] = [:]
    for path in Self.related(path) where snapshot.paths.contains(path) {
      documents[path] = try? document(path, in: snapshot)
    }
    copy(Self.user(path)).note(documents, at: now())
    return snapshot
  }

  /// What the machine has seen; read before the values that are compared with it.
  func seen(_ path: String) throws(SDKError) -> SeenDocuments {
    try copy(Self.user(path)).load().seen
  }

  /// The paths that are read together: those of the same user, and the registration.
  static func related(_ path: String) -> [String] {
    let own =
      [SecretName.registration.path(of: .standard)]
      + SecretName.ofUser.map { $0.path(of: user(path)) }
    return own.contains(path) ? own : own + [path]
  }

  /// Whose a document is.
  static func user(_ path: String) -> UserID {
    let names = path.split(separator: "/" as Character)
    guard names.count > 2, names[0] == ProfileUser.folder else { return .standard }
    return (try? UserID(String(names[1]))) ?? .standard
  }
}
