import SDKCore

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
  let paths: Set<String>

  init(_ values: KeyValues, of paths: some Sequence<String>, below prefix: String) {
    self.prefix = prefix
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

  /// Who presents a refresh token of a document; `nil` if nobody has said so.
  func note(_ path: String) -> PresentationNote? {
    values[Self.noteKey(path, prefix)].flatMap { PresentationNote($0.value) }
  }

  /// The condition that nobody has changed a document since.
  func isUnchanged(_ path: String) -> KeyTransaction.Condition {
    .modified(Self.valueKey(path, prefix), value(path)?.modified ?? 0)
  }

  /// Takes changes.
  mutating func apply(_ changes: KeyChanges) {
    for (key, value) in changes.values { values[key] = value }
    revision = max(revision, changes.revision)
  }

  static func valueKey(_ path: String, _ prefix: String) -> String { "\(prefix)/\(path)/value" }
  static func noteKey(_ path: String, _ prefix: String) -> String { "\(prefix)/\(path)/note" }
  static func lockKey(_ path: String, _ prefix: String) -> String { "\(prefix)/\(path)/lock" }

  /// What the names of a document's keys begin with.
  static func keys(_ path: String, _ prefix: String) -> String { "\(prefix)/\(path)/" }
}
