package import HTTP
import JSON
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

package struct PlaceNetwork: Sendable {
  package let location: StoreLocation
  /// Makes a transport with the pins and the policy of a profile, which need not exist yet, and with the authorities of
  /// a file.
  package let transport: @Sendable (ProfileName, _ caFile: String?) -> any Transport
  /// Returns the time that is left for the command; `nil` for no limit.
  package let remaining: @Sendable () -> Duration?
  package let now: @Sendable () -> Timestamp
}

/// How a machine reaches a shared store.
public struct StoreConnection: Sendable, Hashable {
  /// The file with the authorities of the cluster, as PEM; `nil` for those of the profile.
  public var caFile: String?
  /// The file with the client certificate and its key, as PEM; `nil` to send none.
  public var certificateFile: String?

  /// Makes a connection.
  public init(caFile: String? = nil, certificateFile: String? = nil) {
    self.caFile = caFile
    self.certificateFile = certificateFile
  }

  init(stored members: JSONObject) {
    self.init(
      caFile: members["caFile"]?.string, certificateFile: members["certificateFile"]?.string)
  }

  var stored: [String: JSON?] {
    [
      "caFile": caFile.map { .string($0) }, "certificateFile": certificateFile.map { .string($0) },
    ]
  }
}
