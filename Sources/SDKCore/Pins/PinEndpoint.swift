import Primitives

/// A host and a port whose chain is compared with pins.
public struct PinEndpoint: Sendable, Hashable, CustomStringConvertible {
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
