public import HTTP
import Primitives

/// The address of secrets in a cluster of etcd: `https://HOST:PORT[,HOST:PORT…]/PREFIX`.
public struct EtcdAddress: Sendable, Hashable, CustomStringConvertible {
  /// The nodes of the cluster, tried in turn.
  public let endpoints: [HTTPURL]
  /// What the names of all keys begin with, without a slash at its ends.
  public let prefix: String

  /// Reads an address; `nil` if it is not one.
  init?(_ text: String) {
    let scheme = "https://"
    guard text.hasPrefix(scheme) else { return nil }
    let rest = text.dropFirst(scheme.utf8.count)
    guard let slash = rest.firstIndex(of: "/") else { return nil }
    prefix = String(rest[rest.index(after: slash)...])
    guard Self.isPrefix(prefix) else { return nil }
    var endpoints: [HTTPURL] = []
    for node in rest[..<slash].split(separator: "," as Character, omittingEmptySubsequences: false)
    {
      guard let url = try? HTTPURL(scheme + node), url.path == "/", url.query == nil else {
        return nil
      }
      endpoints.append(url)
    }
    self.endpoints = endpoints
  }

  /// The text that ``init(_:)`` reads.
  public var description: String {
    "https://\(endpoints.map(\.authority).joined(separator: ","))/\(prefix)"
  }

  private static func isPrefix(_ text: String) -> Bool {
    text.utf8.count <= 200
      && text.split(separator: "/" as Character, omittingEmptySubsequences: false).allSatisfy {
        !$0.isEmpty && $0.first != "."
          && $0.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-_.".utf8.contains($0) }
      }
  }
}
