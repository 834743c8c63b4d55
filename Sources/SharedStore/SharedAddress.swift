public import HTTP
import Primitives
public import SDKCore

/// The address of secrets in a store that several machines share: a cluster of etcd.
public struct SharedAddress: Sendable, Hashable, CustomStringConvertible {
  /// The nodes of the cluster, which are tried in turn.
  public let endpoints: [HTTPURL]
  /// What the names of all keys begin with, without a slash at its ends.
  public let prefix: String

  /// Reads `etcd:https://HOST:PORT[,HOST:PORT…]/PREFIX`.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest`` for another text.
  public init(_ text: String) throws(SDKError) {
    guard let address = SharedAddress(reading: text) else {
      throw SDKError(
        .invalidRequest,
        "could not use the shared store '\(text)': it is not 'etcd:https://HOST:PORT[,HOST:PORT]/PREFIX'"
      )
    }
    self = address
  }

  private init?(reading text: String) {
    let scheme = "etcd:https://"
    guard text.hasPrefix(scheme) else { return nil }
    let rest = text.dropFirst(scheme.utf8.count)
    guard let slash = rest.firstIndex(of: "/") else { return nil }
    prefix = String(rest[rest.index(after: slash)...])
    guard prefix.utf8.count <= 200,
      prefix.split(separator: "/" as Character, omittingEmptySubsequences: false)
        .allSatisfy(Self.isWord)
    else { return nil }
    var endpoints: [HTTPURL] = []
    for node in rest[..<slash].split(separator: "," as Character, omittingEmptySubsequences: false)
    {
      guard let url = try? HTTPURL("https://" + node), url.query == nil else { return nil }
      endpoints.append(url)
    }
    self.endpoints = endpoints
  }

  /// The text that ``init(_:)`` reads.
  public var description: String {
    "etcd:https://\(endpoints.map(\.authority).joined(separator: ","))/\(prefix)"
  }

  private static func isWord(_ text: Substring) -> Bool {
    !text.isEmpty && text.first != "."
      && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-_.".utf8.contains($0) }
  }
}
