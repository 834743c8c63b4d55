import POSIX
package import Primitives

extension ProfileStore {
  /// Opens a store; nothing is read or made yet.
  public init(_ location: StoreLocation) { self.init(location, over: .curl) }

  /// Opens a store; shared places are reached by this network.
  package init(
    _ location: StoreLocation, over network: Network, _ options: SessionOptions = SessionOptions(),
    now: @escaping @Sendable () -> Timestamp = { SystemClock.now() }
  ) {
    self.init(
      location, over: network, options.connections, tracedBy: TraceLog(options, now: now), now: now)
  }

  /// The same, with the log of a session.
  init(
    _ location: StoreLocation, over network: Network, _ options: ConnectionOptions,
    tracedBy log: TraceLog?, now: @escaping @Sendable () -> Timestamp
  ) {
    self.init(
      location, sharing: NetworkPlaces(network, options, tracedBy: log, now: now))
  }
}
