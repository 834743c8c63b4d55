public import HTTP
import JSON
import POSIX
import Primitives

/// What a cluster says of itself, and what it has of a profile.
public struct SharedStoreStatus: Sendable {
  /// A node of the cluster.
  public struct Node: Sendable {
    /// Its address.
    public let endpoint: HTTPURL
    /// Its version; `nil` if it does not answer.
    public let version: String?
    /// Whether it leads the cluster.
    public let isLeader: Bool
    /// Why it cannot be used; `nil` if it can.
    public let error: SDKError?
  }

  /// A document.
  public struct Document: Sendable {
    /// Its path below the prefix.
    public let path: String
    /// The revision of the cluster at which it was written.
    public let revision: Int64
    /// The id of the key that it is encrypted under; `nil` if it cannot be read.
    public let key: String?
    /// Whether it is empty, because it was removed.
    public let isRemoved: Bool
    /// Why it cannot be read; `nil` if it can.
    public let error: SDKError?
  }

  /// A lock.
  public struct Lock: Sendable {
    /// The document that is locked.
    public let path: String
    /// The machine, the process and the time, as the holder wrote them.
    public let holder: String
  }

  /// The nodes, in the order of the address.
  public let nodes: [Node]
  /// The documents, by their paths; `nil` if the cluster cannot be read.
  public let documents: [Document]?
  /// The locks that are held.
  public let locks: [Lock]
}

extension ProfileStore {
  /// The state of the shared store of a profile; `nil` if its secrets are not in one.
  ///
  /// - Throws: ``SDKError/Code/noProfile``; errors of the machine's store.
  public func sharedStatus(of name: ProfileName) async throws(SDKError) -> SharedStoreStatus? {
    guard contains(name) else { throw noProfile(name) }
    let entry = try PlaceDocument(of: name, at: location).entry
    guard case .etcd(let address) = entry.place, let places = places as? EtcdPlaces else {
      return nil
    }
    let client = places.client(address, entry.connection, of: name, at: location)
    let nodes = await client.status().map { endpoint, state in
      let answer = try? state.get()
      // Unsigned numbers of 64 bits, as texts.
      let id = answer?["header"]?["member_id"]?.string
      var error: SDKError?
      if case .failure(let failure) = state { error = failure }
      return SharedStoreStatus.Node(
        endpoint: endpoint, version: answer?["version"]?.string,
        isLeader: id != nil && id == answer?["leader"]?.string, error: error)
    }
    guard let found = try? await client.read([address.prefix + "/"]) else {
      return SharedStoreStatus(nodes: nodes, documents: nil, locks: [])
    }
    let keys = try StoreKeys(of: name, at: location)
    var documents: [SharedStoreStatus.Document] = []
    var locks: [SharedStoreStatus.Lock] = []
    for (key, value) in found.values.sorted(by: { $0.key < $1.key }) {
      let path = String(key.dropFirst(address.prefix.utf8.count + 1))
      if path.hasSuffix("/lock") {
        locks.append(
          .init(
            path: String(path.dropLast("/lock".utf8.count)),
            holder: String(decoding: value.value, as: UTF8.self)))
      } else if path.hasSuffix("/value") {
        let path = String(path.dropLast("/value".utf8.count))
        do throws(SDKError) {
          let opened = try SealedDocument(opening: value.value, as: key, with: keys)
          documents.append(
            .init(
              path: path, revision: value.modified, key: opened.key,
              isRemoved: opened.members == nil, error: nil))
        } catch {
          documents.append(
            .init(
              path: path, revision: value.modified, key: nil, isRemoved: false, error: error))
        }
      }
    }
    return SharedStoreStatus(nodes: nodes, documents: documents, locks: locks)
  }

  /// Adds a profile whose settings, registration and logins are in a shared store.
  ///
  /// - Parameters:
  ///   - name: its name on this machine.
  ///   - address: where another machine has moved them.
  ///   - connection: how this machine reaches the cluster.
  ///   - text: the text of the key file.
  /// - Throws: ``SDKError/Code/store`` if there is nothing; ``SDKError/Code/untrusted`` if the key is another one;
  ///   errors of the connection.
  public func join(
    _ name: ProfileName, _ address: EtcdAddress, by connection: StoreConnection, key text: String
  ) async throws(SDKError) {
    try requireAbsent(name)
    guard let places = places as? EtcdPlaces else {
      throw SDKError(
        .unavailable, "could not add '\(name)': the store was opened without a network")
    }
    var keys = try StoreKeys(of: name, at: location)
    keys.add(try Self.key(text))
    let place = places.joining(address, connection, of: name, at: location, with: keys)
    guard let settings = try await place.read(SecretName.settings) else {
      throw SDKError(
        .store, "could not add '\(name)': '\(address)' has no profile", subject: name.description)
    }
    let pins = try await place.read(SecretName.pins)
    try Profile(name: name, members: settings).check()
    var document = PlaceDocument()
    document.entry = try PlaceDocument.Entry(new: .etcd(address), connection, for: name)
    let (entry, allKeys) = (document, keys)
    try exclusively { () throws(SDKError) in
      try requireAbsent(name)
      try create(name, settings: settings, pins: pins) { () throws(SDKError) in
        try allKeys.write(of: name, at: location)
        try entry.write(of: name, at: location)
      }
      if try current() == nil { try writeCurrent(name) }
    }
  }

  // MARK: Keys

  /// Makes the text of a key file.
  public static func makeStoreKey() throws(SDKError) -> String { try StoreKey.make().text }

  /// Adds a key for the shared store; what is written has it once the store was encrypted under it.
  ///
  /// - Returns: the id of the key.
  /// - Throws: ``SDKError/Code/noProfile``; ``SDKError/Code/invalidRequest`` for another text.
  @discardableResult
  public func addStoreKey(_ text: String, of name: ProfileName) async throws(SDKError) -> String {
    guard contains(name) else { throw noProfile(name) }
    let key = try Self.key(text)
    let lock = try await ProfileLock.acquire(.profile, of: name, at: location)
    var keys = try StoreKeys(of: name, at: location)
    keys.add(key)
    try keys.write(of: name, at: location)
    lock.release()
    return key.id
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
    guard contains(name) else { throw noProfile(name) }
    let entry = try PlaceDocument(of: name, at: location).entry
    guard case .etcd(let address) = entry.place, let places = places as? EtcdPlaces,
      let status = try await sharedStatus(of: name)
    else {
      throw SDKError(
        .invalidRequest,
        "could not rotate the key: the secrets of '\(name)' are in no shared store",
        subject: name.description)
    }
    guard let documents = status.documents else {
      throw SDKError(.network, "could not rotate the key: the shared store cannot be read")
    }
    let key = try StoreKeys(of: name, at: location).newest()
    let place = places.shared(address, entry.connection, of: name, at: location)
    var changed = 0
    for document in documents where document.key != key.id {
      if let error = document.error { throw error }
      try await place.encryptAgain(document.path, with: key)
      changed += 1
    }
    return (key.id, changed)
  }

  private static func key(_ text: String) throws(SDKError) -> StoreKey {
    guard let key = StoreKey(text: text) else {
      throw SDKError(
        .invalidRequest, "could not use the key of the shared store: the text is not a key file")
    }
    return key
  }
}

extension SharedPlace {
  /// Writes a document again, under another key.
  func encryptAgain(_ path: String, with key: StoreKey) async throws(SDKError) {
    try await locked(
      path, waiting: .seconds(60), encryptingWith: key,
      unless: { () async throws(SDKError) -> Void? in nil }
    ) { () async throws(SDKError) in
      try await rewrite(path)
    }
  }
}
