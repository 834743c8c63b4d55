import HTTP
import POSIX
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
    guard !areHeld(path), let lock = lock(path),
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
