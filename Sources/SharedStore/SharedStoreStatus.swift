public import HTTP
import JSON
import Primitives
public import SDKCore

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

  /// What a cluster holds below a prefix.
  static func content(
    _ found: KeyValues, below prefix: String, with keys: StoreKeys
  ) -> (documents: [Document], locks: [Lock]) {
    var (documents, locks): ([Document], [Lock]) = ([], [])
    for (key, value) in found.values.sorted(by: { $0.key < $1.key }) {
      let name = String(key.dropFirst(prefix.utf8.count + 1))
      if name.hasSuffix("/lock") {
        locks.append(
          Lock(
            path: String(name.dropLast("/lock".utf8.count)),
            holder: String(decoding: value.value, as: UTF8.self)))
      } else if name.hasSuffix("/value") {
        let path = String(name.dropLast("/value".utf8.count))
        do throws(SDKError) {
          let opened = try EncryptedDocument(opening: value.value, as: key, with: keys)
          documents.append(
            Document(
              path: path, revision: value.modified, key: opened.key,
              isRemoved: opened.members == nil, error: nil))
        } catch {
          documents.append(
            Document(
              path: path, revision: value.modified, key: nil, isRemoved: false, error: error))
        }
      }
    }
    return (documents, locks)
  }
}

extension SharedStoreStatus.Node {
  fileprivate init(_ endpoint: HTTPURL, _ state: Result<JSON, SDKError>) {
    self.endpoint = endpoint
    switch state {
    case .success(let members):
      // Unsigned numbers of 64 bits, as texts.
      let id = members["header"]?["member_id"]?.string
      (version, error) = (members["version"]?.string, nil)
      isLeader = id != nil && sameIdentifier(id, members["leader"]?.string)
    case .failure(let failure): (version, isLeader, error) = (nil, false, failure)
    }
  }
}

extension ProfileStore {
  /// The state of the shared store of a profile; `nil` if its secrets are not in one.
  ///
  /// - Throws: ``SDKError/Code/noProfile``; errors of the machine's store.
  public func sharedStatus(of name: ProfileName) async throws(SDKError) -> SharedStoreStatus? {
    guard let place = try sharedPlace(of: name) else { return nil }
    let nodes = await (place.nodes?.status() ?? []).map { SharedStoreStatus.Node($0, $1) }
    guard let found = try? await place.store.read([place.prefix + "/"]) else {
      return SharedStoreStatus(nodes: nodes, documents: nil, locks: [])
    }
    let (documents, locks) = SharedStoreStatus.content(
      found, below: place.prefix, with: try StoreKeys(of: name, at: location))
    return SharedStoreStatus(nodes: nodes, documents: documents, locks: locks)
  }

  /// The shared place of a profile; `nil` if its secrets are not in one.
  func sharedPlace(of name: ProfileName) throws(SDKError) -> SharedPlace? {
    guard contains(name) else { throw noProfile(name) }
    let entry = try PlaceDocument(of: name, at: location).entry
    return entry.place.isShared ? try secretDocuments(of: name).place(entry) as? SharedPlace : nil
  }
}

/// Says which refresh token a machine presents to the authorization server, beside the document that has the token.
struct PresentationNote: Sendable, Hashable {
  /// The random name of the machine.
  let machine: String
  /// The machine and the process, for people.
  let owner: String
  /// A digest of the token.
  let token: String
  /// By the clock of the store.
  let time: Timestamp
  /// The counter of the document that has the token.
  let counter: Int64

  init(machine: String, owner: String, token: String, time: Timestamp, counter: Int64) {
    (self.machine, self.owner, self.token) = (machine, owner, token)
    (self.time, self.counter) = (time, counter)
  }

  init?(_ bytes: [UInt8]) {
    guard let members = (try? JSON(parsing: bytes))?.object, let token = members["token"]?.string,
      let time = members["time"]?.time, let counter = members["counter"]?.int
    else { return nil }
    self.init(
      machine: members["machine"]?.string ?? "", owner: members["owner"]?.string ?? "",
      token: token, time: time, counter: counter)
  }

  var bytes: [UInt8] {
    JSON.members([
      "machine": .string(machine), "owner": .string(owner), "token": .string(token),
      "time": .time(time), "counter": .int(counter),
    ]).serializedBytes()
  }

  /// Whether a machine that left this note may have spent the token that another one wants to present.
  func forbids(_ other: PresentationNote) -> Bool {
    machine != other.machine && token == other.token && counter >= other.counter
      && (time - Self.rest..<time + Self.rest).contains(other.time)
  }

  private static let rest: Int64 = 300
}
