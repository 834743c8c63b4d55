package import HTTP
import Primitives

/// A host and a port, to which connections are made.
public struct HostAndPort: Sendable, Hashable, CustomStringConvertible {
  /// The name or address of the host.
  public let host: String
  /// The port.
  public let port: UInt16

  /// Describes an endpoint.
  public init(host: String, port: UInt16 = 443) {
    self.host = host
    self.port = port
  }

  /// The host and the port; an IPv6 address is in brackets.
  public var description: String { "\(HostName.bracketed(host)):\(port)" }
}

extension HostAndPort {
  /// Reads `HOST` or `HOST:PORT`; without a port, 443.
  package init?(_ text: String) {
    guard !text.contains("/"), let url = try? HTTPURL("https://\(text)"), url.target == "/" else {
      return nil
    }
    self.init(url)
  }

  package init(_ url: HTTPURL) { self.init(host: url.host, port: url.port) }
}
