package import Primitives

/// Addresses to use for a host and a port instead of those of the name servers.
///
/// The spelling is that of `curl --resolve`: `HOST:PORT:ADDRESS[,ADDRESS]...`, with IPv6 addresses
/// in brackets. The host `*` stands for every host.
public struct AddressOverride: Sendable, Hashable, CustomStringConvertible {
  /// The text that libcurl reads.
  public let description: String

  /// Reads an override; `nil` if it is not `HOST:PORT:ADDRESS`.
  public init?(_ text: String) {
    let sign = text.hasPrefix("+") ? "+" : ""
    let parts = text.dropFirst(sign.count).split(
      separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, isPort(parts[1]),
      let host = parts[0] == "*" ? "*" : HostName.spelled(String(parts[0]))
    else { return nil }
    for address in parts[2].split(separator: ",", omittingEmptySubsequences: false) {
      let isInBrackets = address.hasPrefix("[") && address.hasSuffix("]")
      let address = isInBrackets ? address.dropFirst().dropLast() : address
      if IPAddress(String(address)) == nil { return nil }
    }
    description = "\(sign)\(host):\(parts[1]):\(parts[2])"
    self.host = host
    port = UInt16(parts[1]) ?? 0
    addresses = parts[2].split(separator: ",").compactMap { text in
      IPAddress(String(text.first == "[" ? text.dropFirst().dropLast() : text))
    }
  }

  private let host: String
  private let port: UInt16
  private let addresses: [IPAddress]

  /// The addresses of a host at a port; `nil` if the override is for others.
  package func addresses(of host: String, _ port: UInt16) -> [IPAddress]? {
    let isMeant = self.port == port && (self.host == "*" || self.host.equalsIgnoringCase(host))
    return isMeant ? addresses : nil
  }
}

/// Another host and port to connect to, instead of those of the URL.
///
/// The spelling is that of `curl --connect-to`: `HOST1:PORT1:HOST2:PORT2`. An empty `HOST1` or
/// `PORT1` stands for every host or port, an empty `HOST2` or `PORT2` for that of the URL. TLS
/// checks and pins remain those of the URL's host.
public struct ConnectionOverride: Sendable, Hashable, CustomStringConvertible {
  /// The text that libcurl reads, which ignores one that it does not understand.
  public let description: String

  /// Reads an override; `nil` if it is not `HOST1:PORT1:HOST2:PORT2`.
  public init?(_ text: String) {
    var isInBrackets = false
    let parts = text.split(omittingEmptySubsequences: false) { character in
      if character == "[" || character == "]" { isInBrackets = character == "[" }
      return character == ":" && !isInBrackets
    }
    guard parts.count == 4, [parts[1], parts[3]].allSatisfy({ $0.isEmpty || isPort($0) }),
      let from = Self.host(parts[0]), let to = Self.host(parts[2])
    else { return nil }
    description = "\(from):\(parts[1]):\(to):\(parts[3])"
    (self.from, self.to) = (from, to)
    (fromPort, toPort) = (UInt16(parts[1]), UInt16(parts[3]))
  }

  private let from: String, to: String
  private let fromPort: UInt16?, toPort: UInt16?

  /// What is connected to instead of a host at a port; `nil` if the override is for others.
  package func target(of host: String, _ port: UInt16) -> (host: String, port: UInt16)? {
    func unbracketed(_ name: String) -> String {
      name.hasPrefix("[") ? String(name.dropFirst().dropLast()) : name
    }
    guard from.isEmpty || unbracketed(from).equalsIgnoringCase(host),
      fromPort.map({ $0 == port }) ?? true
    else { return nil }
    return (to.isEmpty ? host : unbracketed(to), toPort ?? port)
  }

  private static func host(_ text: Substring) -> String? {
    text.isEmpty ? "" : HostName.spelled(String(text))
  }
}

private func isPort(_ text: Substring) -> Bool {
  text.utf8.allSatisfy(\.isDigit) && UInt16(text).map { $0 > 0 } ?? false
}
