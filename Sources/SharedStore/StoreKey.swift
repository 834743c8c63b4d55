import JSON
import OpenSSL
import POSIX
import Primitives
public import SDKCore

/// A key under which the documents of a shared store are encrypted.
struct StoreKey: Sendable, Hashable {
  /// What names it, in values and messages: the begin of its digest.
  let id: String
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) throws(SDKError) {
    self.bytes = bytes
    id = Hex.encode(try digest(of: Array("store key".utf8) + bytes).prefix(8))
  }

  static func make() throws(SDKError) -> StoreKey {
    try StoreKey(try attempt { try Random.bytes(32) })
  }

  init?(text: String) {
    guard let members = (try? JSON(parsing: text))?.object, members["version"] == 1,
      let key = members["key"]?.string.flatMap({ Base64.decode($0.utf8) }), key.count == 32,
      let made = try? StoreKey(key), members["id"]?.string.map({ $0 == made.id }) ?? true
    else { return nil }
    self = made
  }

  /// The same.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest`` for another text.
  init(file text: String) throws(SDKError) {
    guard let key = StoreKey(text: text) else {
      throw SDKError(
        .invalidRequest, "could not use the key of the shared store: the text is not a key file")
    }
    self = key
  }

  var text: String {
    JSON.members([
      "version": 1, "id": .string(id), "key": .string(Base64.encode(bytes)),
    ]).serialized() + "\n"
  }
}

/// The keys that a machine has for the shared store of a profile: `store-key.json` of its state.
///
/// New documents are encrypted under the newest, the last one; the others are for what was encrypted before.
struct StoreKeys: Sendable, Hashable {
  private(set) var keys: [StoreKey] = []
  /// The newest one under which this machine has seen a value; those before it are not used any more.
  var newestSeen: String?

  /// Reads the file; no keys if there is none.
  init(of profile: ProfileName, at location: StoreLocation) throws(SDKError) {
    let path = Self.path(profile, location)
    guard let members = try StoreDocument.read(path, .secret)?.members else { return }
    guard let texts = members["keys"]?.strings else { throw Self.damaged(path) }
    for text in texts {
      guard let key = Base64.decode(text.utf8), key.count == 32 else { throw Self.damaged(path) }
      keys.append(try StoreKey(key))
    }
  }

  /// Adds a key, as the newest one; one that is there keeps its place.
  mutating func add(_ key: StoreKey) {
    if self[key.id] == nil { keys.append(key) }
  }

  /// Whether a key was replaced by another one that has been in use.
  func isOlder(_ id: String, than other: String) -> Bool {
    guard let index = keys.firstIndex(where: { $0.id == id }),
      let newer = keys.firstIndex(where: { $0.id == other })
    else { return false }
    return index < newer
  }

  /// Whether a newer key is in use.
  func isRetired(_ id: String) -> Bool { newestSeen.map { isOlder(id, than: $0) } ?? false }

  /// The key for new values: a key becomes that when somebody rotates to it, not when a machine imports it.
  func forNewValues() throws(SDKError) -> StoreKey {
    if let key = newestSeen.flatMap({ self[$0] }) { return key }
    return try newest()
  }

  func write(of profile: ProfileName, at location: StoreLocation) throws(SDKError) {
    try StoreDocument(
      path: Self.path(profile, location), secrecy: .secret,
      members: ["keys": .strings(keys.map { Base64.encode($0.bytes) })]
    ).write()
  }

  subscript(id: String) -> StoreKey? { keys.first { $0.id == id } }

  /// The key for new documents.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` without one: nothing is ever written in clear.
  func newest() throws(SDKError) -> StoreKey {
    guard let key = keys.last else {
      throw SDKError(
        .invalidConfiguration, "could not use the shared store: this machine has no key for it")
    }
    return key
  }

  private static func path(_ profile: ProfileName, _ location: StoreLocation) -> StorePath {
    location.stateFile("profiles/\(profile)/store-key.json")
  }

  private static func damaged(_ path: StorePath) -> SDKError {
    StoreDocument.damage(
      path.text, "'keys' is missing or invalid", as: .invalidConfiguration)
  }
}

extension ProfileStore {
  /// Makes the text of a key file.
  ///
  /// - Throws: ``SDKError/Code/unavailable`` without libcrypto.
  public static func makeStoreKey() throws(SDKError) -> String { try StoreKey.make().text }

  /// Adds a key for the shared store; what is written has it once the store was encrypted under it.
  ///
  /// - Returns: the id of the key.
  /// - Throws: ``SDKError/Code/noProfile``; ``SDKError/Code/invalidRequest`` for another text.
  @discardableResult
  public func addStoreKey(_ text: String, of name: ProfileName) async throws(SDKError) -> String {
    let key = try StoreKey(file: text)
    return try await holding(.profile, of: name) { () throws(SDKError) in
      var keys = try StoreKeys(of: name, at: location)
      keys.add(key)
      try keys.write(of: name, at: location)
      return key.id
    }
  }

  /// The text of a file with the newest key.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` if there is none.
  public func storeKey(of name: ProfileName) throws(SDKError) -> String {
    guard contains(name) else { throw noProfile(name) }
    return try StoreKeys(of: name, at: location).newest().text
  }

  /// Encrypts all documents of the shared store under the newest key of this machine.
  ///
  /// Other machines may go on meanwhile, if they have that key.
  ///
  /// - Returns: the id of the key, and how many documents had another one.
  /// - Throws: ``SDKError/Code/invalidRequest`` if the secrets are not in a shared store; its errors.
  public func rotateStoreKey(
    of name: ProfileName
  ) async throws(SDKError) -> (key: String, changed: Int) {
    guard let place = try sharedPlace(of: name) else {
      throw SDKError(
        .invalidRequest,
        "could not rotate the key: the secrets of '\(name)' are in no shared store",
        subject: name.description)
    }
    let key = try StoreKeys(of: name, at: location).newest()
    return (key.id, try await place.encryptAgain(with: key))
  }
}
