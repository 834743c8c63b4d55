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

  package init(pins: PinSets, userAgent: String, now: @escaping @Sendable () -> Timestamp) {
    self.pins = pins
    self.userAgent = userAgent
    self.now = now
  }

  /// The host and port that a connection is made to.
  func target(of host: String, _ port: UInt16) -> (host: String, port: UInt16) {
    connectTo.lazy.compactMap { $0.target(of: host, port) }.first ?? (host, port)
  }
}

extension CurlTransport {
  /// How many addresses of a host are used.
  package static let maximumAddressCount = 64

  /// The addresses that a connection to a host can be made to, as libcurl chooses them, and the port.
  ///
  /// - Throws: ``TransportError/Code/nameNotResolved`` if the name is not known;
  ///   ``TransportError/Code/timeout`` if the name servers do not respond in time.
  package func addresses(
    of host: String, _ port: UInt16
  ) async throws(TransportError) -> (addresses: [IPAddress], port: UInt16) {
    let target = configuration.target(of: host, port)
    // Of several overrides libcurl uses the last.
    let override = configuration.resolve.reversed().lazy.compactMap {
      $0.addresses(of: target.host, target.port)
    }.first
    if let override { return (override, target.port) }
    return (try await lookUp(target.host), target.port)
  }

  private func lookUp(_ host: String) async throws(TransportError) -> [IPAddress] {
    let found = OneShot<[IPAddress]>()
    do throws(SystemError) {
      // The C library has no time limit of ours: a late result is dropped.
      try BackgroundThread.start {
        found.set(IPAddress.all(of: host, limit: Self.maximumAddressCount))
      }
    } catch {
      throw TransportError(.unavailable, "could not start a thread: \(error.message)")
    }
    guard let addresses = await found.wait(timeout: timeLeft) else {
      if Task.isCancelled { throw .cancelled }
      throw TransportError(
        .timeout, "the host name \(host) was not resolved within \(timeLeft)", host: host)
    }
    guard !addresses.isEmpty else {
      throw TransportError(
        .nameNotResolved, "the host name \(host) could not be resolved", host: host)
    }
    return addresses
  }

  /// How long a connection that begins now may take.
  var timeLeft: Duration {
    guard let deadline = configuration.deadline else { return configuration.connectTimeout }
    return min(configuration.connectTimeout, max(.zero, ContinuousClock.now.duration(to: deadline)))
  }
}
