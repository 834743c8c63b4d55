public import HTTP
public import Pinning

/// The caller's choices for connections to servers.
public struct ConnectionOptions: Sendable {
  /// The value of the `User-Agent` field.
  public var userAgent: String
  /// How long a request may take; `nil` for the defaults.
  public var timeout: Duration?
  /// When everything that the session does must have ended: exchanges, redirects and waits for
  /// locks alike; `nil` for no bound.
  public var deadline: ContinuousClock.Instant?
  /// How long name resolution, connection and TLS handshake may take together; `nil` for the
  /// default.
  public var connectTimeout: Duration?
  /// Addresses of hosts that are not looked up; for https only.
  public var resolve: [AddressOverride] = []
  /// Hosts and ports that are connected to instead of those of the URL; for https only.
  public var connectTo: [ConnectionOverride] = []
  /// The file of trusted authorities if the profile does not name one; `nil` for the system's.
  public var environmentCAFile: String?
  /// The directory of trusted authorities if no file is named; `nil` for the system's.
  ///
  /// Its names are those that `openssl rehash` makes.
  public var environmentCADirectory: String?
  /// Whether nothing is written of what servers say: no cache, no copy of a shared store.
  package var writesNothing = false
  /// Takes lines about what goes over the network, without secrets.
  public var trace: (@Sendable (String) -> Void)?
  /// Called if a server showed no pinned key, also if the profile's policy lets that pass.
  public var pinReport: (@Sendable (PinFailure) -> Void)?
}
