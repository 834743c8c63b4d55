import POSIX
package import Primitives

extension ProfileStore {
  /// Opens a store; nothing is read or made yet.
  public init(_ location: StoreLocation) { self.init(location, over: .curl) }

  /// Opens a store; shared places are reached by this network.
  package init(
    _ location: StoreLocation, over network: Network,
    _ options: ConnectionOptions? = nil,
    now: @escaping @Sendable () -> Timestamp = { SystemClock.now() }
  ) {
    self.init(
      location,
      sharing: EtcdPlaces(network, options ?? ConnectionOptions(userAgent: "SDKCore"), now: now))
  }
}
