public import HTTP
public import Primitives

/// A server by its host and port: what pins and allowed hosts are for.
public struct PinEndpoint: Sendable, Hashable, CustomStringConvertible {
  /// The name or address of the host.
  public let host: String
  /// The port.
  public let port: UInt16
  /// The only address of the host that is connected to; `nil` for any.
  public var address: IPAddress?

  /// Describes a server.
  public init(host: String, port: UInt16 = 443, address: IPAddress? = nil) {
    self.host = host
    self.port = port
    self.address = address
  }

  /// The server of a URL.
  public init(_ url: HTTPURL) { self.init(host: url.host, port: url.port) }

  /// Reads `HOST` or `HOST:PORT`; without a port, 443.
  package init?(allowedHost text: String) {
    guard !text.contains("/"), let url = try? HTTPURL("https://\(text)"), url.target == "/" else {
      return nil
    }
    self.init(url)
  }

  /// As it is typed: an IPv6 address in brackets, and the port if it is not 443.
  public var name: String { port == 443 ? HostName.bracketed(host) : description }

  /// The host and the port; an IPv6 address is in brackets.
  public var description: String { "\(HostName.bracketed(host)):\(port)" }

  /// The pattern of pins for it alone: for its port only, unless that is 443; `nil` if the host is not a host name.
  public var pattern: PinPattern? { PinPattern(host: host, port: port == 443 ? nil : port) }

  /// Whether both are the same host and port, in whatever way they are reached.
  public func sharesPort(with other: PinEndpoint) -> Bool {
    host == other.host && port == other.port
  }
}

extension PinPattern {
  /// The server that the pattern names; `nil` of proxies, and of direct subdomains, of which none is known.
  package var endpoint: PinEndpoint? {
    isProxy || subdomains == .direct ? nil : PinEndpoint(host: host, port: port ?? 443)
  }
}

extension PinEndpoint {
  /// The servers of URLs with TLS, each once.
  package static func each(of urls: [HTTPURL]) -> [PinEndpoint] {
    var places: [PinEndpoint] = []
    for url in urls where url.scheme == .https {
      let place = PinEndpoint(url)
      if !places.contains(place) { places.append(place) }
    }
    return places
  }
}
