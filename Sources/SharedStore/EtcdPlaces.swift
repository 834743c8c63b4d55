import HTTP
import JSON
import POSIX
public import Pinning
import Primitives
public import SDKCore
import Synchronization

extension StoreSharing {
  /// In a cluster of etcd, by ``SharedAddress``.
  ///
  /// Connections have the pins and the policy of the profile, the authorities of the cluster, and the client certificate
  /// of a file, which is read for each connection: who renews it replaces the file.
  public static let etcd = StoreSharing { EtcdPlaces($0, keysIn: nil).place }
}

/// Makes the places of profiles whose secrets are in a cluster of etcd.
final class EtcdPlaces: Sendable {
  private struct Key: Hashable {
    let entry: PlaceDocument.Entry
    let profile: ProfileName
  }

  private let network: PlaceNetwork
  /// What has the keys; `nil` for the cluster of the address.
  private let keys: (any KeyValueStore)?
  private let places = Mutex<[Key: SharedPlace]>([:])

  init(_ network: PlaceNetwork, keysIn keys: (any KeyValueStore)?) {
    self.network = network
    self.keys = keys
  }

  /// The same place for the same profile.
  func place(
    _ entry: PlaceDocument.Entry, of profile: ProfileName
  ) throws(SDKError) -> any SecretPlace {
    let address = try SharedAddress(entry.place.description)
    return places.withLock { places in
      let key = Key(entry: entry, profile: profile)
      let place = places[key] ?? made(entry, at: address, of: profile)
      places[key] = place
      return place
    }
  }

  private func made(
    _ entry: PlaceDocument.Entry, at address: SharedAddress, of profile: ProfileName
  ) -> SharedPlace {
    let (location, now) = (network.location, network.now)
    let nodes = EtcdNodes(
      address.endpoints, over: network.transport(profile, entry.connection.caFile),
      certificate: { () async throws(SDKError) in
        guard let file = entry.connection.certificateFile else { return nil }
        let pem = try SecretFile.bytes(of: file, "client certificate of the shared store")
        return ClientCertificate(chain: pem, privateKey: pem)
      }, remaining: network.remaining, now: now)
    return SharedPlace(
      keys ?? EtcdClient(nodes: nodes),
      SharedFiles(
        prefix: address.prefix,
        files: FilePlace(location: location, profile: profile, folder: entry.folder)
      ) { () throws(SDKError) in try StoreKeys(of: profile, at: location) },
      nodes, called: address.description, machine: entry.id,
      owner: { "\(ProcessName.text), since \(now())" }, now: now,
      locks: ProfileLocks(profile: profile, location: location))
  }
}

/// The locks of a profile, which guard what the machine keeps.
struct ProfileLocks: MachineLocks {
  let profile: ProfileName
  let location: StoreLocation

  func areFor(_ path: String) -> Bool { lock(path) != nil }

  func areHeld(_ path: String) -> Bool {
    lock(path).map { LockOrder.holds($0, of: profile, at: location) } ?? false
  }

  func ifFree(_ path: String, _ body: () async -> Void) async {
    guard let lock = lock(path),
      let held = try? await ProfileLock.acquire(
        lock, of: profile, at: location, waiting: .zero)
    else { return }
    await body()
    held.release()
  }

  private func lock(_ path: String) -> ProfileLock? {
    let user = SharedPlace.user(path)
    return ProfileLock.allCases.first { $0.secret?.path(of: user) == path }
  }
}

/// A profile that a shared store offers: what a machine that joins would take.
public struct SharedProfile: Sendable {
  /// The settings.
  public let profile: Profile
  let pins: JSONObject?
  let entry: PlaceDocument.Entry
  let keys: StoreKeys
  /// Whether a registration or tokens demand encrypted payloads.
  let demandsEncryption: Bool

  /// The pins.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest`` if they cannot be read.
  public func pinSets() throws(SDKError) -> [PinSet] {
    do throws(DocumentError) { return try PinDocument.sets(in: pins ?? [:]) } catch {
      throw SDKError(
        .invalidRequest, "could not read the pins of '\(profile.name)': \(error.cause)")
    }
  }
}

extension ProfileStore {
  /// Reads the profile that another machine has moved to a shared store; nothing is written.
  ///
  /// - Parameters:
  ///   - address: where another machine has moved it.
  ///   - name: its name on this machine.
  ///   - connection: how this machine reaches the cluster.
  ///   - text: the text of the key file.
  /// - Returns: the profile, for ``join(_:)``.
  /// - Throws: ``SDKError/Code/store`` if there is nothing; ``SDKError/Code/untrusted`` if the key is another one;
  ///   errors of the connection.
  public func profile(
    at address: SharedAddress, as name: ProfileName, by connection: StoreConnection,
    key text: String
  ) async throws(SDKError) -> SharedProfile {
    try requireAbsent(name)
    var keys = try StoreKeys(of: name, at: location)
    keys.add(try StoreKey(file: text))
    let entry = try PlaceDocument.Entry(
      new: .shared(address.description), connection, for: name)
    guard let place = try secretDocuments(of: name).place(entry) as? SharedPlace else {
      throw SDKError(.unavailable, "could not add '\(name)': this program shares secrets otherwise")
    }
    let found = try await place.store.read([address.prefix + "/"])
    let all = keys
    func members(_ path: String) throws(SDKError) -> JSONObject? {
      let key = SharedSnapshot.valueKey(path, address.prefix)
      return try found.values[key].flatMap { (value) throws(SDKError) in
        try EncryptedDocument(opening: value.value, as: key, with: all).members
      }
    }
    guard let document = try members(ProfileFile.settings) else {
      throw SDKError(
        .store, "could not add '\(name)': '\(address)' has no profile", subject: name.description)
    }
    // What cannot be read is told when it is used.
    let secrets = found.values.compactMap { key, value in
      try? EncryptedDocument(opening: value.value, as: key, with: all).members
    }
    return SharedProfile(
      profile: try Profile(name: name, from: document, settings: settings),
      pins: try members(ProfileFile.pins),
      entry: entry, keys: keys,
      demandsEncryption: PayloadDemand.isMade(by: secrets))
  }

  /// Adds a profile whose registration and logins stay in a shared store.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` if the profile exists; ``SDKError/Code/store`` if the files
  ///   cannot be written.
  public func join(_ shared: SharedProfile) async throws(SDKError) {
    let name = shared.profile.name
    var document = PlaceDocument()
    document.entry = shared.entry
    let entry = document
    try await exclusively { () throws(SDKError) in
      try create(name, settings: shared.profile.members, pins: shared.pins) {
        () throws(SDKError) in
        try shared.keys.write(of: name, at: location)
        try entry.write(of: name, at: location)
        if shared.demandsEncryption { try PayloadDemand(location, name).note(true) }
      }
      if try current() == nil { try writeCurrent(name) }
    }
    try await secretDocuments(of: name).update()
  }
}
