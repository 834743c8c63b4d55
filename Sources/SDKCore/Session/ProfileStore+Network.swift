import HTTP
import JSON
import POSIX
import Pinning
package import Primitives
import Trace

extension ProfileStore {
  /// Opens a store, whose profiles may share secrets with other machines; nothing is read or made yet.
  public init(_ location: StoreLocation, sharing: StoreSharing, settings: SettingTable = .core) {
    self.init(
      location, sharing: sharing, over: .curl, ConnectionOptions(userAgent: "SDKCore"), settings,
      tracedBy: nil, now: { SystemClock.now() })
  }

  package init(
    _ location: StoreLocation, sharing: StoreSharing?, over network: Network,
    _ options: SessionOptions = SessionOptions(),
    now: @escaping @Sendable () -> Timestamp = { SystemClock.now() }
  ) {
    self.init(
      location, sharing: sharing, over: network, options.connections, options.settings,
      tracedBy: TraceLog(options, now: now), now: now)
  }

  /// The same, with the log of a session; `nil` for none.
  init(
    _ location: StoreLocation, sharing: StoreSharing?, over network: Network,
    _ options: ConnectionOptions, _ settings: @autoclosure @escaping @Sendable () -> SettingTable,
    tracedBy log: TraceLog?,
    now: @escaping @Sendable () -> Timestamp
  ) {
    self.init(
      location, sharing, settings(),
      over: PlaceNetwork(
        location: location,
        transport: { profile, caFile in
          LazyTransport {
            network.transport(toStoreOf: profile, at: location, caFile: caFile, options, log)
          }
        },
        remaining: { options.deadline.map { max(.zero, ContinuousClock.now.duration(to: $0)) } },
        now: now))
    deadline = options.deadline
  }
}

extension Network {
  fileprivate func transport(
    toStoreOf name: ProfileName, at location: StoreLocation, caFile: String?,
    _ options: ConnectionOptions, _ log: TraceLog?
  ) -> any Transport {
    let store = ProfileStore(location)
    // Before the profile is added nothing is pinned, and the chain is checked. One that cannot be read
    // has no pins, and asks for one.
    let settings =
      store.contains(name)
      ? (try? store.profile(name)) ?? Profile(unchecked: name, members: [:]) : nil
    let pins = (try? PinStore(location, name).load()) ?? PinSets()
    var options = options
    // The servers get what is left of the time, and more for what must be stored.
    options.deadline = nil
    if settings == nil { options.pinReport = nil }
    return transport(TransportSettings(settings, pins, caFile: caFile), options, log)
  }
}
