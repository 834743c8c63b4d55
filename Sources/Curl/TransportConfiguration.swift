package import HTTP
package import POSIX
package import Pinning
package import Primitives

/// The settings of all requests of one transport.
///
/// The configuration of a transport does not change: its connections are reused only under the pins
/// that they were checked against.
package struct TransportConfiguration: Sendable {
  /// The pins of every host.
  package var pins: PinSets
  /// The rule for a host without a matching pin.
  package var pinPolicy = PinPolicy.enforce
  /// Called if a server showed no pinned key, on the transport's thread; under ``PinPolicy/report`` also
  /// before a connection to a host without valid pins.
  package var pinReport: (@Sendable (PinFailure) -> Void)?
  /// The time, by which pins expire.
  package var now: @Sendable () -> Timestamp

  /// The file of the only certification authorities that are trusted, as PEM; `nil` for the system's.
  package var caFile: String?
  /// A file of certification authorities that are trusted besides these or the system's.
  package var extraCAFile: String?
  /// The directory of the certification authorities that are trusted, if there is no file.
  ///
  /// Its names are those that `openssl rehash` makes; `nil` for libcurl's own choice.
  package var caDirectory: String?

  /// How long name resolution, connection and handshake may take together.
  package var connectTimeout = Duration.seconds(30)
  /// How long a request without a timeout may be idle; `nil` without limit.
  package var idleTimeout: Duration?
  /// When every request must have ended; `nil` without limit.
  package var deadline: ContinuousClock.Instant?

  /// The variables that name proxies; read once.
  package var environment: @Sendable () -> Environment = { .current }
  /// Where the proxy is set, for errors; `nil` for the variable that names it.
  package var proxySource: String?
  /// Addresses of hosts that are not looked up.
  package var resolve: [AddressOverride] = []
  /// Hosts and ports that are connected to instead of those of the URL.
  package var connectTo: [ConnectionOverride] = []
  /// Whether `http://` is accepted for this machine.
  package var insecureLoopback = false

  /// The value of the `User-Agent` field.
  package var userAgent: String
  /// Called with the lines of a log for people, without field values and queries, on the transport's
  /// thread.
  package var trace: (@Sendable (String) -> Void)?

  /// Makes a configuration in which everything else has its default.
  package init(pins: PinSets, userAgent: String, now: @escaping @Sendable () -> Timestamp) {
    self.pins = pins
    self.userAgent = userAgent
    self.now = now
  }
}
