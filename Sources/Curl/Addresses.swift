package import HTTP
import POSIX
package import Primitives

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
    if let address = IPAddress(target.host) { return ([address], target.port) }
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

extension TransportConfiguration {
  /// The host and port that a connection is made to.
  func target(of host: String, _ port: UInt16) -> (host: String, port: UInt16) {
    connectTo.lazy.compactMap { $0.target(of: host, port) }.first ?? (host, port)
  }
}
