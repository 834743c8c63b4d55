internal import Primitives

/// Another host and port to connect to, instead of those of the URL.
///
/// The spelling is that of `curl --connect-to`: `HOST1:PORT1:HOST2:PORT2`. An empty `HOST1` or
/// `PORT1` stands for every host or port, an empty `HOST2` or `PORT2` for that of the URL. TLS
/// checks and pins remain those of the URL's host.
public struct ConnectionOverride: Sendable, Hashable, CustomStringConvertible {
  /// The text that libcurl reads.
  public let description: String

  /// Reads an override; `nil` if it is not `HOST1:PORT1:HOST2:PORT2`.
  public init?(_ text: String) {
    var rest = text[...]
    guard let from = Self.host(&rest), rest.drop(":"), let fromPort = Self.port(&rest),
      rest.drop(":"), let to = Self.host(&rest), rest.drop(":"), let toPort = Self.port(&rest),
      rest.isEmpty
    else { return nil }
    description = "\(from):\(fromPort):\(to):\(toPort)"
  }

  private static func host(_ text: inout Substring) -> String? {
    var end = text.utf8.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
    if text.hasPrefix("[") {
      guard let close = text.utf8.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      end = text.utf8.index(after: close)
    }
    let host = String(text[..<end])
    guard let name = host.isEmpty ? "" : HostName.spelled(host) else { return nil }
    text = text[end...]
    return name
  }

  private static func port(_ text: inout Substring) -> String? {
    let digits = text.prefix { $0 != ":" }
    guard digits.isEmpty || (digits.utf8.allSatisfy(\.isDigit) && (UInt16(digits) ?? 0) > 0) else {
      return nil
    }
    text = text[digits.endIndex...]
    return String(digits)
  }
}

extension Substring {
  /// Removes a character at the start; `false` if there is another.
  fileprivate mutating func drop(_ mark: Unicode.Scalar) -> Bool {
    guard unicodeScalars.first == mark else { return false }
    self = self[unicodeScalars.index(after: startIndex)...]
    return true
  }
}
