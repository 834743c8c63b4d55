import POSIX
package import Primitives

extension ProfileStore {
  /// Opens a store; nothing is read or made yet.
  ///
  /// - Parameters:
  ///   - location: where it is.
  ///   - programs: stores of the program's own, by the NAME of the place `program:NAME/PREFIX`, to which
  ///     profiles can move their secrets.
  public init(_ location: StoreLocation, programs: [String: any KeyValueStore] = [:]) {
    self.init(location, over: .curl, programs: programs)
  }

  /// Opens a store; shared places are reached by this network.
  package init(
    _ location: StoreLocation, over network: Network, _ options: SessionOptions = SessionOptions(),
    programs: [String: any KeyValueStore] = [:],
    now: @escaping @Sendable () -> Timestamp = { SystemClock.now() }
  ) {
    self.init(
      location, over: network, options.connections, tracedBy: TraceLog(options, now: now),
      programs: programs, now: now)
  }

  /// The same, with the log of a session.
  init(
    _ location: StoreLocation, over network: Network, _ options: ConnectionOptions,
    tracedBy log: TraceLog?, programs: [String: any KeyValueStore],
    now: @escaping @Sendable () -> Timestamp
  ) {
    self.init(
      location,
      sharing: NetworkPlaces(network, options, tracedBy: log, programs: programs, now: now),
      programs: programs)
  }
}
