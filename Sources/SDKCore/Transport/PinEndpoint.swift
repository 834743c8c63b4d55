public import Pinning
public import Primitives

/// A server whose chain is compared with pins.
public struct PinEndpoint: Sendable, Hashable, CustomStringConvertible {
  /// The name or address of the host.
  public let host: String
  /// The port.
  public let port: UInt16
  /// What is spoken there before TLS; `nil` if TLS begins at once.
  public var startTLS: StartTLS?
  /// The only address of the host that is connected to; `nil` for any.
  public var address: IPAddress?

  /// Describes a server.
  public init(
    host: String, port: UInt16 = 443, startTLS: StartTLS? = nil, address: IPAddress? = nil
  ) {
    self.host = host
    self.port = port
    self.startTLS = startTLS
    self.address = address
  }

  /// The host and the port; an IPv6 address is in brackets.
  public var description: String { "\(HostName.bracketed(host)):\(port)" }

  /// Whether both are the same host and port, in whatever way they are reached.
  public func sharesPort(with other: PinEndpoint) -> Bool {
    host == other.host && port == other.port
  }
}

extension PinSet {
  /// The port of its servers; without one in the pattern that of the protocol.
  public var port: UInt16 { pattern.port ?? startTLS?.defaultPort ?? 443 }
}
