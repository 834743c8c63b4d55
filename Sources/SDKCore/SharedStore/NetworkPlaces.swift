import HTTP
import JSON
import OpenSSL
import POSIX
import Pinning
import Primitives
import Synchronization

/// Makes the places of profiles whose secrets are in a cluster of etcd.
///
/// Connections to a cluster have the pins and the policy of the profile, the authorities of the cluster, and the client
/// certificate of a file, which is read for each connection: who renews it replaces the file.
final class NetworkPlaces: StoreSharing {
  private struct Key: Hashable {
    let entry: PlaceDocument.Entry
    let profile: ProfileName
    let location: StoreLocation
  }

  private let network: Network
  private let options: ConnectionOptions
  /// The log of requests; `nil` for none.
  private let log: TraceLog?
  private let now: @Sendable () -> Timestamp
  private let places = Mutex<[Key: SharedPlace]>([:])

  init(
    _ network: Network, _ options: ConnectionOptions, tracedBy log: TraceLog?,
    now: @escaping @Sendable () -> Timestamp
  ) {
    (self.network, self.options, self.log) = (network, options, log)
    self.now = now
  }

  func place(
    _ entry: PlaceDocument.Entry, of profile: ProfileName, at location: StoreLocation
  ) throws(SDKError) -> any SecretPlace {
    try shared(entry, of: profile, at: location)
  }

  /// The same place for the same profile.
  func shared(
    _ entry: PlaceDocument.Entry, of profile: ProfileName, at location: StoreLocation
  ) throws(SDKError) -> SharedPlace {
    let key = Key(entry: entry, profile: profile, location: location)
    return try places.withLock { places throws(SDKError) in
      if let place = places[key] { return place }
      guard case .shared(let address) = entry.place else {
        throw SDKError(.invalidRequest, cause: "'\(entry.place)' is no shared store")
      }
      let place = SharedPlace(
        network.sharedStore?(address)
          ?? EtcdClient(nodes: nodes(address, entry.connection, of: profile, at: location)),
        SharedFiles(
          prefix: address.prefix,
          files: FilePlace(
            location: location, profile: profile, folder: entry.folder)
        ) { () throws(SDKError) in try StoreKeys(of: profile, at: location) },
        called: address.description, machine: entry.id,
        owner: { [now] in "\(ProcessName.text), since \(now())" }, now: now,
        locks: ProfileLocks(profile: profile, location: location))
      places[key] = place
      return place
    }
  }

  /// The nodes of a cluster.
  func nodes(
    _ address: SharedAddress, _ connection: StoreConnection, of profile: ProfileName,
    at location: StoreLocation
  ) -> EtcdNodes {
    let (network, options, log, now) = (network, options, log, now)
    let transport = LazyTransport {
      let store = ProfileStore(location, sharing: nil)
      // Before the profile is added nothing is pinned, and the chain is checked. One that cannot be read
      // has no pins, and asks for one.
      let settings =
        store.contains(profile)
        ? (try? store.profile(profile)) ?? Profile(unchecked: profile, members: [:]) : nil
      let pins = (try? PinStore(location, profile).load()) ?? PinSets()
      var options = options
      // The nodes get what is left of the time, and more for what must be stored.
      options.deadline = nil
      if settings == nil { options.pinReport = nil }
      return network.transport(
        TransportSettings(settings, pins, caFile: connection.caFile), options, log)
    }
    return EtcdNodes(
      address.endpoints, over: transport,
      certificate: { () async throws(SDKError) in
        guard let file = connection.certificateFile else { return nil }
        let pem = try SecretFile.bytes(of: file, "client certificate of the shared store")
        return ClientCertificate(chain: pem, privateKey: pem)
      },
      remaining: {
        options.deadline.map { max(.zero, ContinuousClock.now.duration(to: $0)) }
      }, now: now)
  }
}

/// The locks of a profile, which guard what the machine keeps.
struct ProfileLocks: MachineLocks {
  let profile: ProfileName
  let location: StoreLocation

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
