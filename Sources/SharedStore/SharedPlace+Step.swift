import JSON
import Primitives
import SDKCore

/// What brings a machine in step with the store.
extension SharedPlace {
  /// Reads a document, and those that belong to it.
  func load(_ path: String) async throws(SDKError) -> SharedSnapshot {
    let paths = Self.related(path)
    return SharedSnapshot(
      try await store.read(paths.map { SharedSnapshot.keys($0, prefix) }), of: paths, below: prefix)
  }

  /// Makes changes, and reads documents after them.
  func commit(
    _ transaction: KeyTransaction, reading paths: some Sequence<String>
  ) async throws(SDKError) -> (succeeded: Bool, snapshot: SharedSnapshot) {
    var transaction = transaction
    transaction.reads = paths.map { SharedSnapshot.keys($0, prefix) }
    let outcome = try await store.commit(transaction)
    return (outcome.succeeded, SharedSnapshot(outcome.read, of: paths, below: prefix))
  }

  func update(of user: UserID?) async throws(SDKError) -> Set<UserID> {
    let snapshot: SharedSnapshot
    if let user {
      snapshot = try await load(ProfileFile.tokens(.user).path(of: user))
    } else {
      let found = try await store.read([prefix + "/"])
      let paths = found.values.keys.compactMap(path).filter(locks.areFor)
      snapshot = SharedSnapshot(found, of: paths, below: prefix)
    }
    try await take(snapshot, holding: [])
    var users: Set<UserID> = []
    for path in snapshot.paths where try await files.load(path).document.members != nil {
      users.insert(Self.user(path))
    }
    return users
  }

  /// The document of a profile whose value a key has; `nil` for another key, whose name may be anybody's.
  private func path(_ key: String) -> String? {
    guard key.hasSuffix("/value") else { return nil }
    let path = String(key.dropFirst(prefix.utf8.count + 1).dropLast("/value".utf8.count))
    return locks.areFor(path) || [ProfileFile.settings, ProfileFile.pins].contains(path)
      ? path : nil
  }

  /// Takes what the store has of documents whose locks are held, and of those whose locks are free; returns whether any
  /// of the first has changed here.
  @discardableResult
  func take(
    _ snapshot: SharedSnapshot, holding held: Set<String>
  ) async throws(SDKError) -> Bool {
    var hasChanged = false
    for path in snapshot.paths.sorted() {
      if held.contains(path) {
        if try await take(path, snapshot) { hasChanged = true }
      } else {
        await locks.ifFree(path) { _ = try? await take(path, snapshot, isCurrent: false) }
      }
    }
    return hasChanged
  }

  /// The same of one document, whose lock is held; one that was read before that lock was taken may be an older one than
  /// this machine has by now.
  func take(
    _ path: String, _ snapshot: SharedSnapshot, isCurrent: Bool = true
  ) async throws(SDKError) -> Bool {
    let own = try await files.load(path)
    let file = try await merged(own, snapshot.value(path), path)
    let isRefused = file.refusal != nil && own.refusal == nil
    guard file != own, isCurrent || !isRefused || own.value.isEmpty else { return false }
    try await files.save(file, path)
    return true
  }

  /// What this machine keeps of a document, after it has seen the value in the store.
  private func merged(
    _ own: SharedFile, _ pair: KeyValue?, _ path: String
  ) async throws(SDKError) -> SharedFile {
    var kept = own
    kept.refusal = nil
    // Of the machine's clock, which may have been set since.
    if own.behind.subtractingClamped(store.behind).magnitude > 60 { kept.behind = store.behind }
    let isPending = isPending(own, path)
    guard let pair else {
      // Who operates the store has removed it.
      guard !isPending, own.document.members != nil else { return kept }
      kept.state = .stored
      kept.document.members = nil
      return try await sealed(kept, path)
    }
    if pair.value == own.value {
      if own.isPending { kept.revision = pair.modified }
      kept.state = .stored
      return kept
    }
    let found: EncryptedDocument
    do throws(SDKError) {
      found = try EncryptedDocument(
        opening: pair.value, as: files.key(path), with: try await files.currentKeys(),
        known: own.base)
      if let members = found.members { try refuseLocalReferences(members, path, "read") }
    } catch {
      guard error.code == .untrusted else { throw error }
      kept.refusal = error.message
      return kept
    }
    try await files.note(found.key)
    if isPending, found.counter == own.base { return kept }
    return SharedFile(
      value: pair.value, document: found, revision: pair.modified, behind: store.behind)
  }

  /// Stores what an earlier process of this machine could not store, after what the store has was taken; the locks of these
  /// documents are held.
  ///
  /// - Returns: what the store has then.
  func storeAhead(
    _ paths: Set<String>, _ snapshot: SharedSnapshot
  ) async throws(SDKError) -> SharedSnapshot {
    let pending = try await pending(paths)
    guard !pending.isEmpty else { return snapshot }
    let (_, stored) = try await commit(
      KeyTransaction(
        conditions: pending.map { snapshot.isUnchanged($0.path) },
        puts: pending.map { .init(key: files.key($0.path), value: $0.file.value) }),
      reading: snapshot.paths)
    for path in paths { _ = try await take(path, stored) }
    return stored
  }

  /// The documents that the store does not have yet, under a key that is not too old.
  func pending(
    _ paths: Set<String>
  ) async throws(SDKError) -> [(path: String, file: SharedFile)] {
    let keys = try await files.currentKeys()
    var found: [(path: String, file: SharedFile)] = []
    for path in paths.sorted() {
      var file = try await files.load(path)
      // What the store has and this machine cannot read may be newer: only a new login takes its place.
      guard isPending(file, path), file.refusal == nil || hasWritten(path) else { continue }
      if keys.isRetired(file.document.key) {
        file = try await sealed(file, path)
        try await files.save(file, path)
      }
      found.append((path, file))
    }
    return found
  }

  func requireUnused() async throws(SDKError) {
    let found = try await store.read([prefix + "/"])
    for path in found.values.keys.compactMap(path)
    where try published(path, found)?.members != nil {
      throw taken
    }
  }

  private func published(_ path: String, _ found: KeyValues) throws(SDKError) -> EncryptedDocument?
  {
    guard let value = found.values[files.key(path)]?.value else { return nil }
    return try EncryptedDocument(opening: value, as: files.key(path), with: try files.keys())
  }

  private var taken: SDKError {
    SDKError(.store, cause: "'\(name)' has those of a profile already")
  }

  func publish(_ paths: [String], replacing: Bool) async throws(SDKError) {
    var rest = paths[...]
    while !rest.isEmpty {
      try await put(Array(rest.prefix(Self.changesAtOnce)), replacing: replacing)
      rest = rest.dropFirst(Self.changesAtOnce)
    }
  }

  /// Puts what is new into the store, in one request.
  private func put(_ paths: [String], replacing: Bool) async throws(SDKError) {
    let found = try await store.read(paths.map { SharedSnapshot.keys($0, prefix) })
    let snapshot = SharedSnapshot(found, of: paths, below: prefix)
    var transaction = KeyTransaction()
    for path in paths {
      let former = try published(path, found)
      guard replacing || former?.members == nil else { throw taken }
      var file = try await files.load(path)
      guard file.document.counter > 0 else { continue }
      // Another machine has changed what was published before: that wins.
      if replacing, let former, former.counter > file.base { continue }
      if let former, former.counter >= file.document.counter {
        file.document.counter = former.counter + 1
        file = try await sealed(file, path)
        try await files.save(file, path)
      }
      transaction.conditions.append(snapshot.isUnchanged(path))
      transaction.puts.append(.init(key: files.key(path), value: file.value))
    }
    let (_, stored) = try await commit(transaction, reading: paths)
    for path in paths { _ = try await take(path, stored) }
    for put in transaction.puts where stored.values[put.key]?.value != put.value {
      throw SDKError(.changedElsewhere, cause: "another machine has changed '\(name)' meanwhile")
    }
  }

  func withdraw(_ paths: [String]) async throws(SDKError) {
    for path in paths where try await files.load(path).document.members != nil {
      try await remove(path)
    }
    try await publish(paths, replacing: true)
    for path in paths { try await files.remove(path) }
  }

  /// Encrypts all documents again, many in one request; returns how many had another key.
  func encryptAgain(with key: StoreKey) async throws(SDKError) -> Int {
    _ = try await update(of: nil)
    var (changed, failures) = (0, 0)
    while failures < Self.attempts {
      let found = try await store.read([prefix + "/"])
      var transaction = KeyTransaction()
      let (keys, all) = (try await files.currentKeys(), try files.keys())
      // Those of the profile are before those of further users, and so in the first request.
      for (name, value) in found.values.sorted(by: { $0.key < $1.key }) {
        guard let path = path(name), transaction.puts.count < Self.changesAtOnce else { continue }
        // What other machines refuse must not become what they take. A rotation of many documents that was interrupted
        // has left some as they were when this machine took them.
        let own = try await files.load(path)
        let isTaken = own.value == value.value && own.revision == value.modified
        var document = try EncryptedDocument(
          opening: value.value, as: name, with: isTaken ? all : keys, known: own.base)
        guard document.key != key.id else { continue }
        transaction.conditions.append(.modified(name, value.modified))
        transaction.puts.append(.init(key: name, value: try document.seal(as: name, with: key)))
      }
      guard !transaction.puts.isEmpty else { return changed }
      if try await store.commit(transaction).succeeded {
        changed += transaction.puts.count
      } else {
        failures += 1
      }
    }
    throw SDKError(.busy, "could not rotate the key: other machines change '\(name)' meanwhile")
  }

  private static let attempts = 5
  /// etcd takes 128 operations in a request, reads among them, unless it is told otherwise.
  private static let changesAtOnce = 60
}
