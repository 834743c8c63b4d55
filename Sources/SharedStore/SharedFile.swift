import JSON
import Primitives
import SDKCore

/// What a machine keeps of a document of a shared store, encrypted as the store has it.
struct SharedFile: Sendable, Hashable {
  enum State: String, Sendable {
    /// The store has it.
    case stored
    /// The store does not have it yet: the next process of the machine stores it before anything else.
    case ahead
    /// The store does not have it yet. Only who wrote it may store it: its refresh token was refused, and must not
    /// replace one.
    case cleared
  }

  /// The value, as the store has it; empty if this machine has none that can be used.
  var value: [UInt8] = []
  var document = EncryptedDocument(counter: 0, members: nil)
  var state = State.stored
  /// The revision of the store at which it had the value when this machine took it; 0 if it has not.
  var revision: Int64 = 0
  /// By how many seconds the machine's clock was behind that of the store.
  var behind: Int64 = 0
  /// Why what the store has cannot be used; `nil` if it can.
  var refusal: String?

  /// Whether the store does not have it yet.
  var isPending: Bool { state != .stored }

  /// The counter of the value in the store that it replaces, or is.
  var base: Int64 { isPending ? document.counter - 1 : document.counter }

  /// The members, with the times of this machine's clock.
  func members(of path: String) -> JSONObject? {
    document.members.map { SlotDocument.moved($0, of: path, by: -behind) }
  }
}

extension SharedFile: StoredValue {
  init(_ fields: StoredFields, _ file: SharedFile?) throws(SDKError) {
    let value = file.map { String(decoding: $0.value, as: UTF8.self) }
    self.value = Array(try fields.required("value", value, .text).utf8)
    state = try fields.required("state", file?.state, .word)
    revision = try fields.required("revision", file?.revision, .number)
    behind = try fields.required("behind", file?.behind, .number)
    refusal = try fields.optional("refusal", file?.refusal, .text)
  }
}

/// The documents of a shared store as a machine keeps them: `shared/ID/PATH.json` of its state, mode 0600.
struct SharedFiles: Sendable {
  /// What the names of all keys of the store begin with.
  let prefix: String
  let files: any SecretPlace
  let keys: @Sendable () throws(SDKError) -> StoreKeys

  /// Reads a document; an empty one if there is none.
  func load(_ path: String) async throws(SDKError) -> SharedFile {
    guard let members = try await files.read(path) else { return SharedFile() }
    var file = try SharedFile(StoredFields(members, in: files.title(of: path)))
    guard !file.value.isEmpty else { return file }
    do throws(SDKError) {
      file.document = try EncryptedDocument(opening: file.value, as: key(path), with: try keys())
    } catch {
      guard error.code == .untrusted else { throw error }
      return SharedFile(refusal: error.message)
    }
    return file
  }

  func save(_ file: SharedFile, _ path: String) async throws(SDKError) {
    try await files.write(file.stored, to: path)
    StoreDocument.noteChange()
  }

  func remove(_ path: String) async throws(SDKError) { try await files.remove(path) }

  /// The name of a document's value in the store.
  func key(_ path: String) -> String { SharedSnapshot.valueKey(path, prefix) }

  // MARK: Keys

  /// The keys, of which none is used that is older than one under which this machine has seen a value: a machine that has
  /// left still has the keys of its time.
  func currentKeys() async throws(SDKError) -> StoreKeys {
    var keys = try keys()
    keys.newestSeen = try await files.read(ProfileFile.newestKey)?["id"]?.string
    return keys
  }

  /// Notes that a value was seen under a key.
  func note(_ key: String) async throws(SDKError) {
    let keys = try await currentKeys()
    if let seen = keys.newestSeen, !keys.isOlder(seen, than: key) { return }
    try await files.write(["id": .string(key)], to: ProfileFile.newestKey)
  }
}
