import JSON

/// The greatest counter of each document that a machine has seen, and the keys of those documents.
struct SeenDocuments: Sendable, Hashable {
  var counters: [String: Int64] = [:]
  var keys: [String: String] = [:]

  /// The key that a document must not be older than: a machine that has left still has the keys of its time.
  ///
  /// While documents are encrypted again one after the other, the others are still under the former key.
  func oldestKey(_ path: String, of all: StoreKeys) -> String? {
    keys[path] ?? all.oldest(of: keys.values)
  }

  /// Takes what was seen later.
  mutating func merge(_ other: SeenDocuments) {
    for (path, counter) in other.counters where counter >= counters[path] ?? 0 {
      counters[path] = counter
      keys[path] = other.keys[path] ?? keys[path]
    }
  }
}

/// What a shared store held of a user's documents, at one revision.
struct SharedSnapshot: Sendable {
  /// Who holds a lock.
  struct Holder: Sendable, Hashable {
    let lease: Int64
    let created: Int64
    /// The machine and the time, as the holder wrote it.
    let text: String
  }

  /// What the names of all keys begin with.
  let prefix: String
  private(set) var revision: Int64
  private(set) var values: [String: KeyValue]
  /// The paths that were read: what is not there does not exist.
  private(set) var paths: Set<String>
  /// What this machine had seen before these values were read.
  private(set) var known: SeenDocuments

  init(
    _ values: KeyValues, of paths: some Sequence<String>, below prefix: String,
    knowing known: SeenDocuments
  ) {
    self.prefix = prefix
    self.known = known
    self.paths = Set(paths)
    self.values = values.values
    revision = values.revision
  }

  /// The value of a document; `nil` if there is none.
  func value(_ path: String) -> KeyValue? { values[Self.valueKey(path, prefix)] }

  /// The holder of a document's lock; `nil` if it is free.
  func holder(_ path: String) -> Holder? {
    values[Self.lockKey(path, prefix)].map {
      Holder(
        lease: $0.lease, created: $0.created, text: String(decoding: $0.value, as: UTF8.self))
    }
  }

  /// Takes what was read later.
  mutating func merge(_ other: SharedSnapshot) {
    for path in other.paths {
      for key in [Self.valueKey(path, prefix), Self.lockKey(path, prefix)] {
        values[key] = other.values[key]
      }
    }
    paths.formUnion(other.paths)
    known.merge(other.known)
    revision = max(revision, other.revision)
  }

  /// Takes changes.
  mutating func apply(_ changes: KeyChanges) {
    for (key, value) in changes.values { values[key] = value }
    revision = max(revision, changes.revision)
  }

  static func valueKey(_ path: String, _ prefix: String) -> String { "\(prefix)/\(path)/value" }
  static func lockKey(_ path: String, _ prefix: String) -> String { "\(prefix)/\(path)/lock" }

  /// What the names of a document's keys begin with.
  static func keys(_ path: String, _ prefix: String) -> String { "\(prefix)/\(path)/" }
}
