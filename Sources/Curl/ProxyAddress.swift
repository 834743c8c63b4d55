import POSIX
import Primitives

/// The HTTPS proxy of the environment, as libcurl finds it for an https URL.
struct ProxyAddress: Sendable, Hashable {
  let host: String
  let port: UInt16

  /// Reads the first of the variables that is set; `nil` if it does not name an HTTPS proxy.
  init?(_ environment: Environment) {
    let values = Self.variables.lazy.compactMap { environment[$0] }
    guard let value = values.first(where: { !$0.isEmpty }),
      value.prefix(8).asciiLowercased == "https://"
    else { return nil }
    // A user and a password may stand before the host.
    let authority = value.dropFirst(8).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] }
    guard let (host, port) = Self.split(place ?? authority) else { return nil }
    self.host = host
    self.port = port
  }

  private static let variables = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]

  private static func split(_ place: Substring) -> (String, UInt16)? {
    let colon = place.lastIndex(of: ":")
    let isPort = colon.map { !place[$0...].contains("]") && !place[..<$0].hasSuffix(":") } ?? false
    guard let colon, isPort, place.first == "[" || place.count(where: { $0 == ":" }) == 1 else {
      return HostName.normalized(String(place)).map { ($0, 443) }
    }
    guard let host = HostName.normalized(String(place[..<colon])),
      let port = UInt16(place[place.index(after: colon)...])
    else { return nil }
    return (host, port)
  }
}
