import JSON
import OpenSSL
import Primitives
import SDKCore

/// A document as a shared store holds it: AES-256-GCM, with the name of its key and its counter.
///
/// The operators of the store see names, sizes, counters and the id of the key. The name of the key-value pair and
/// the counter are authenticated, so a value is refused under another name, and an older one where a newer
/// one is known. A document that was removed is the value `null`, so that its counter goes on.
struct EncryptedDocument: Sendable, Hashable {
  var counter: Int64
  private(set) var key: String
  var members: JSONObject?

  init(counter: Int64, key: String = "", members: JSONObject?) {
    (self.counter, self.key, self.members) = (counter, key, members)
  }

  /// The value of the document under another key.
  mutating func seal(as name: String, with key: StoreKey) throws(SDKError) -> [UInt8] {
    self.key = key.id
    return try Self.seal(members, as: name, counter: counter, with: key)
  }

  static func seal(
    _ members: JSONObject?, as name: String, counter: Int64, with key: StoreKey
  ) throws(SDKError) -> [UInt8] {
    let text = (members.map { JSON.object(StoreDocument.current($0)) } ?? .null).serializedBytes()
    let (iv, sealed) = try attempt("could not encrypt '\(name)'") {
      let iv = try Random.bytes(12)
      return (
        iv,
        try AES.seal(
          text, key: key.bytes, iv: iv, additional: additional(name, counter, key.id))
      )
    }
    let value = JSON.members([
      "version": 1, "counter": .int(counter), "key": .string(key.id),
      "iv": .string(Base64.encode(iv)),
      "data": .string(Base64.encode(sealed.ciphertext + sealed.tag)),
    ]).serializedBytes()
    guard value.count <= limit else {
      throw SDKError(
        .store,
        "could not write '\(name)': it has \(value.count) bytes, and the shared store takes \(limit)"
      )
    }
    return value
  }

  /// Decrypts a value, which has that name in the store.
  ///
  /// What was not written so, or is older than the counter that is known, is not trusted.
  init(
    opening value: [UInt8], as name: String, with keys: StoreKeys, known: Int64 = 0
  ) throws(SDKError) {
    func refused(_ cause: String) -> SDKError {
      SDKError(.untrusted, "could not read '\(name)' of the shared store: \(cause)", subject: name)
    }
    guard let outer = (try? JSON(parsing: value))?.object, outer["version"] == 1,
      let counter = outer["counter"]?.int, (1...Self.maximumCounter).contains(counter),
      let id = outer["key"]?.string,
      let iv = outer["iv"]?.string.flatMap({ Base64.decode($0.utf8) }), iv.count == 12,
      let data = outer["data"]?.string.flatMap({ Base64.decode($0.utf8) }), data.count >= 16
    else { throw refused("the value is not an encrypted document") }
    guard let key = keys[id] else {
      throw refused(
        "it is encrypted under the key \(VisibleText.of(id)), which this machine does not have")
    }
    guard
      let text = AES.open(
        Array(data.dropLast(16)), tag: Array(data.suffix(16)), key: key.bytes, iv: iv,
        additional: Self.additional(name, counter, id))
    else { throw refused("it was changed, or written under another name") }
    guard counter >= known else {
      throw refused("it is older (\(counter)) than what this machine has seen (\(known))")
    }
    if let newest = keys.newestSeen, keys.isRetired(id) {
      throw refused("it is encrypted under the key \(id), which was replaced by \(newest)")
    }
    self.counter = counter
    self.key = id
    members = text == Array("null".utf8) ? nil : try StoreDocument.members(of: text, in: name)
  }

  private static func additional(_ name: String, _ counter: Int64, _ key: String) -> [UInt8] {
    JSON.strings(["shared document 1", name, "\(counter)", key]).serializedBytes()
  }

  /// What every reader of JSON can hold exactly.
  static let maximumCounter: Int64 = 1 << 53

  /// etcd takes requests of 1.5 MiB, which have the value in base64.
  private static let limit = 1 << 20
}

/// The documents of slots, with their times.
///
/// In a shared place the times are by the clock of the store, on a machine by its own: a token that a machine with a
/// wrong clock has obtained expires for all at the same moment.
enum SlotDocument {
  static func isSlot(_ path: String) -> Bool { path.containsText("credentials/") }

  /// A document by a clock that is ahead by so many seconds; those of other paths stay as they are.
  static func moved(_ members: JSONObject, of path: String, by seconds: Int64) -> JSONObject {
    guard isSlot(path) else { return members }
    var members = members
    for name in [end, "obtained"] { members[name] = moved(members[name], by: seconds) }
    if let list = members[cookies]?.array {
      members[cookies] = .array(
        list.map { cookie in
          guard var object = cookie.object else { return cookie }
          object[end] = moved(object[end], by: seconds)
          return .object(object)
        })
    }
    return members
  }

  private static func moved(_ value: JSON?, by seconds: Int64) -> JSON? {
    value?.time.map { .time($0 + seconds) } ?? value
  }

  private static let (end, cookies) = ("expires", "cookies")
}

/// What a shared store held of a user's documents, at one revision.
struct SharedSnapshot: Sendable {
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
