package import Pinning

/// What all exchanges of one transport have in common.
///
/// A transport keeps its configuration for life: its connections are reused only
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
  /// When every exchange must have ended; `nil` for no bound.
  package var deadline: ContinuousClock.Instant?
  /// How long a connection may carry no byte in a request without a bound; `nil` for ever.
  package var idleTimeout: Duration?
  /// Whether `http://` is accepted for this machine.
  package var insecureLoopback: Bool
  /// What goes out as `User-Agent`.
  package var userAgent: String
  /// The time, in seconds since 1970, by which pins expire.
  package var now: @Sendable () -> Int64
  /// Told of a mismatch under ``PinPolicy/report``; called on the transport's thread.
  package var pinReport: (@Sendable (PinMismatch) -> Void)?
  /// Takes the lines of a log for people; no field value and no query is among them.
  ///
  /// Called on the transport's thread.
  package var trace: (@Sendable (String) -> Void)?

  /// Makes a configuration.
  package init(
    caFile: String? = nil, caDirectory: String? = nil, pins: PinSets,
    pinPolicy: PinPolicy = .enforce,
    connectTimeout: Duration = .seconds(30), deadline: ContinuousClock.Instant? = nil,
    idleTimeout: Duration? = nil, insecureLoopback: Bool = false,
    userAgent: String = "sdkctl", now: @escaping @Sendable () -> Int64,
    pinReport: (@Sendable (PinMismatch) -> Void)? = nil,
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
    self.trace = trace
  }

  /// The CA file that counts: the profile's, else those that curl and OpenSSL know.
  ///
  /// The closure answers the value of an environment variable.
  package static func caFile(
    ofProfile profile: String?, environment: (String) -> String?
  ) -> String? {
    [profile, environment("CURL_CA_BUNDLE"), environment("SSL_CERT_FILE")]
      .lazy.compactMap { $0 }.first { !$0.isEmpty }
  }
}
