package import HTTP
package import Primitives

/// How several machines share the secrets of a profile.
///
/// A module of its own has it: `StoreSharing.etcd` of `SharedStore`. A program without one refuses such a profile.
public struct StoreSharing: Sendable {
  /// Returns the place that an entry names, for a profile.
  package typealias Places =
    @Sendable (PlaceDocument.Entry, ProfileName) throws(SDKError) -> any SecretPlace

  /// Makes the places of a store, which connect by that network.
  package let places: @Sendable (PlaceNetwork) -> Places

  package init(_ places: @escaping @Sendable (PlaceNetwork) -> Places) { self.places = places }
}

/// How the places of a store reach servers.
package struct PlaceNetwork: Sendable {
  package let location: StoreLocation
  /// Makes a transport with the pins and the policy of a profile, which need not exist yet, and with the authorities of
  /// a file.
  package let transport: @Sendable (ProfileName, _ caFile: String?) -> any Transport
  /// Returns the time that is left for the command; `nil` for no limit.
  package let remaining: @Sendable () -> Duration?
  package let now: @Sendable () -> Timestamp
}
