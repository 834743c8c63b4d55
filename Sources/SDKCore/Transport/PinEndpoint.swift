public import HTTP
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

  /// The server of a URL.
  public init(_ url: HTTPURL) { self.init(host: url.host, port: url.port) }

  /// As it is typed: an IPv6 address in brackets, and the port if it is not 443; with STARTTLS a URL.
  public var name: String {
    guard let startTLS else { return port == 443 ? HostName.bracketed(host) : description }
    let place = port == startTLS.defaultPort ? HostName.bracketed(host) : description
    return "\(startTLS.rawValue)://\(place)"
  }

  /// The host and the port; an IPv6 address is in brackets.
  public var description: String { "\(HostName.bracketed(host)):\(port)" }

  /// The pattern of pins for it alone: for its port only, unless that is 443; `nil` if the host is not a host name.
  public var pattern: PinPattern? { PinPattern(host: host, port: port == 443 ? nil : port) }

  /// Whether both are the same host and port, in whatever way they are reached.
  public func sharesPort(with other: PinEndpoint) -> Bool {
    host == other.host && port == other.port
  }
}

extension PinSet {
  /// The port of its servers; without one in the pattern that of the protocol.
  public var port: UInt16 { pattern.port ?? startTLS?.defaultPort ?? 443 }
}

extension Profile {
  /// Where the profile will send requests by TLS: its issuer and its resource server, each once.
  public var pinEndpoints: [PinEndpoint] {
    var places: [PinEndpoint] = []
    for url in urls where url.scheme == .https {
      let place = PinEndpoint(url)
      if !places.contains(place) { places.append(place) }
    }
    return places
  }
}
