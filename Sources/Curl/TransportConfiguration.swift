package import HTTP
package import Pinning
package import Primitives

/// The settings of all requests of one transport.
///
/// The configuration of a transport does not change: its connections are reused only
/// under the pins that they were checked against.
package struct TransportConfiguration: Sendable {
  /// The only certification authorities that are trusted, as PEM; `nil` for the system's.
  package var caFile: String?
  /// The directory of the certification authorities that are trusted, if there is no file.
  ///
  /// Its names are those that `openssl rehash` makes; `nil` for libcurl's own choice.
  package var caDirectory: String?
  /// The pins of every host.
  package var pins: PinSets
  /// What happens to a host without a matching pin.
  package var pinPolicy: PinPolicy
  /// How long name resolution, connection and handshake may take together.
  package var connectTimeout: Duration
  /// Addresses of hosts that are not looked up.
  package var resolve: [AddressOverride] = []
  /// Hosts and ports that are connected to instead of those of the URL.
  package var connectTo: [ConnectionOverride] = []
  /// When every request must have ended; `nil` without limit.
  package var deadline: ContinuousClock.Instant?
  /// How long a request without a timeout may be idle; `nil` without limit.
  package var idleTimeout: Duration?
  /// Whether `http://` is accepted for this machine.
  package var insecureLoopback: Bool
  /// The value of the `User-Agent` field.
  package var userAgent: String
  /// The time, by which pins expire.
  package var now: @Sendable () -> Timestamp
  /// Called with a mismatch under ``PinPolicy/report``, on the transport's thread.
  package var pinReport: (@Sendable (PinMismatch) -> Void)?
  /// Called with every mismatch, whatever the policy, on the transport's thread.
  package var pinFailure: (@Sendable (PinFailure) -> Void)?
  /// Called with the lines of a log for people, without field values and queries.
  ///
  /// Called on the transport's thread.
  package var trace: (@Sendable (String) -> Void)?

  /// Makes a configuration.
  package init(
    caFile: String? = nil, caDirectory: String? = nil, pins: PinSets,
    pinPolicy: PinPolicy = .enforce,
    connectTimeout: Duration = .seconds(30), deadline: ContinuousClock.Instant? = nil,
    idleTimeout: Duration? = nil, insecureLoopback: Bool = false,
    userAgent: String, now: @escaping @Sendable () -> Timestamp,
    pinReport: (@Sendable (PinMismatch) -> Void)? = nil,
    pinFailure: (@Sendable (PinFailure) -> Void)? = nil,
    trace: (@Sendable (String) -> Void)? = nil
  ) {
    self.caFile = caFile
    self.caDirectory = caDirectory
    self.pins = pins
    self.pinPolicy = pinPolicy
    self.connectTimeout = connectTimeout
    self.deadline = deadline
    self.idleTimeout = idleTimeout
    self.insecureLoopback = insecureLoopback
    self.userAgent = userAgent
    self.now = now
    self.pinReport = pinReport
    self.pinFailure = pinFailure
    self.trace = trace
  }

  /// The CA file to use: the profile's, else that of the variables of curl and OpenSSL.
  ///
  /// The closure returns the value of an environment variable.
  package static func caFile(
    ofProfile profile: String?, environment: (String) -> String?
  ) -> String? {
    [profile, environment("CURL_CA_BUNDLE"), environment("SSL_CERT_FILE")]
      .lazy.compactMap { $0 }.first { !$0.isEmpty }
  }
}
