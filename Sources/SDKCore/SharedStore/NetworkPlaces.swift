import HTTP
import JSON
import OpenSSL
import POSIX
import Pinning
import Primitives
import Synchronization

/// Makes the places of profiles whose secrets are in a cluster of etcd, or in a store that the program brings.
///
/// Connections to a cluster have the pins and the policy of the profile, the authorities of the cluster, and the client
/// certificate of a file, which is read for each connection: who renews it replaces the file.
final class NetworkPlaces: SharedPlaces {
  private struct Key: Hashable {
    let address: SharedAddress
    let connection: StoreConnection
    let profile: ProfileName
    let location: StoreLocation
  }

  private let network: Network
  private let options: ConnectionOptions
  /// The log of requests; `nil` for none.
  private let log: TraceLog?
  /// The stores that the program brings, by their names.
  private let programs: [String: any KeyValueStore]
  private let now: @Sendable () -> Timestamp
  private let places = Mutex<[Key: SharedPlace]>([:])

  init(
    _ network: Network, _ options: ConnectionOptions, tracedBy log: TraceLog?,
    programs: [String: any KeyValueStore], now: @escaping @Sendable () -> Timestamp
  ) {
    self.network = network
    self.options = options
    self.log = log
    self.programs = programs
    self.now = now
  }

  func place(
    _ address: SharedAddress, _ connection: StoreConnection, of profile: ProfileName,
    at location: StoreLocation
  ) -> (any SecretPlace)? {
    try? shared(address, connection, of: profile, at: location)
  }

  /// The same place for the same profile, so that a process reads only once what it reads again at once.
  ///
  /// - Throws: ``SDKError/Code/unavailable`` if the program does not bring that store.
  func shared(
    _ address: SharedAddress, _ connection: StoreConnection, of profile: ProfileName,
    at location: StoreLocation
  ) throws(SDKError) -> SharedPlace {
    let key = Key(
      address: address, connection: connection, profile: profile, location: location)
    return try places.withLock { places throws(SDKError) in
      if let place = places[key] { return place }
      let place = try make(key, isKept: !options.writesNothing) { () throws(SDKError) in
        try StoreKeys(of: profile, at: location)
      }
      places[key] = place
      return place
    }
  }

  /// The place of a profile that this machine does not have yet; nothing of it is kept.
  func joining(
    _ address: SharedAddress, _ connection: StoreConnection, of profile: ProfileName,
    at location: StoreLocation, with keys: StoreKeys
  ) throws(SDKError) -> SharedPlace {
    try make(
      Key(address: address, connection: connection, profile: profile, location: location),
      isKept: false
    ) { () throws(SDKError) in keys }
  }

  private func make(
    _ key: Key, isKept: Bool, _ keys: @escaping @Sendable () throws(SDKError) -> StoreKeys
  ) throws(SDKError) -> SharedPlace {
    let name = key.address.description
    return SharedPlace(
      try store(key), below: key.address.prefix, called: name,
      owner: { [now] in "\(ProcessName.text), since \(now())" }, keys: keys,
      copy: { user in
        let document = ProfileUser(profile: key.profile, id: user).document("shared.json")
        return MachineCopy(
          path: key.location.stateFile(document), place: name, isKept: isKept)
      }, now: now)
  }

  private func store(_ key: Key) throws(SDKError) -> any KeyValueStore {
    switch key.address.kind {
    case .etcd(let endpoints):
      return EtcdClient(
        nodes: nodes(endpoints, key.connection, of: key.profile, at: key.location))
    case .program(let name):
      guard let store = programs[name] else {
        throw SDKError(
          .unavailable, "could not use '\(key.address)': \(key.address.unavailability)")
      }
      return store
    }
  }

  /// The nodes of a cluster.
  func nodes(
    _ endpoints: [HTTPURL], _ connection: StoreConnection, of profile: ProfileName,
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
      if settings == nil { options.pinReport = nil }
      return network.transport(
        TransportSettings(settings, pins, caFile: connection.caFile), options, log)
    }
    return EtcdNodes(
      endpoints, over: transport,
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
