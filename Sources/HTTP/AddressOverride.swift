internal import Primitives

/// Addresses to use for a host and a port instead of those of the name servers.
///
/// The spelling is that of `curl --resolve`: `HOST:PORT:ADDRESS[,ADDRESS]...`, with IPv6 addresses
/// in brackets. The host `*` stands for every host.
public struct AddressOverride: Sendable, Hashable, CustomStringConvertible {
  /// The text that libcurl reads.
  public let description: String

  /// Reads an override; `nil` if it is not `HOST:PORT:ADDRESS`.
  public init?(_ text: String) {
    let isTemporary = text.hasPrefix("+")
    let parts = (isTemporary ? text.dropFirst() : text[...]).splitOnce(at: ":")
    guard let (name, rest) = parts, let (portText, list) = rest.splitOnce(at: ":"),
      let port = UInt16(portText), port > 0, portText.utf8.allSatisfy(\.isDigit)
    else { return nil }
    guard let host = name == "*" ? "*" : HostName.spelled(String(name)) else { return nil }
    let addresses = list.split(separator: ",", omittingEmptySubsequences: false)
    guard addresses.allSatisfy({ IPAddress(String($0.withoutBrackets)) != nil }) else { return nil }
    description = "\(isTemporary ? "+" : "")\(host):\(port):\(list)"
  }
}

extension Substring {
  /// The texts before and after the first of a character.
  func splitOnce(at mark: Unicode.Scalar) -> (Substring, Substring)? {
    guard let position = unicodeScalars.firstIndex(of: mark) else { return nil }
    return (self[..<position], self[unicodeScalars.index(after: position)...])
  }

  var withoutBrackets: Substring {
    hasPrefix("[") && hasSuffix("]") ? dropFirst().dropLast() : self
  }
}
