public import HTTP
import Primitives

/// The address of secrets in a store that several machines share.
public struct SharedAddress: Sendable, Hashable, CustomStringConvertible {
  /// The kinds of stores.
  public enum Kind: Sendable, Hashable {
    /// A cluster of etcd, by its nodes, which are tried in turn.
    case etcd([HTTPURL])
    /// A store that the program brings (``KeyValueStore``), by its name.
    case program(String)
  }

  /// What has the keys.
  public let kind: Kind
  /// What the names of all keys begin with, without a slash at its ends.
  public let prefix: String

  /// Reads `etcd:https://HOST:PORT[,HOST:PORT…]/PREFIX` or `program:NAME/PREFIX`; `nil` for another text.
  public init?(_ text: String) {
    if let rest = Self.rest(of: text, after: "etcd:https://") {
      var endpoints: [HTTPURL] = []
      for node in rest.name.split(separator: "," as Character, omittingEmptySubsequences: false) {
        guard let url = try? HTTPURL("https://" + node), url.query == nil else { return nil }
        endpoints.append(url)
      }
      (kind, prefix) = (.etcd(endpoints), rest.prefix)
    } else if let rest = Self.rest(of: text, after: "program:"), Self.isWord(rest.name) {
      (kind, prefix) = (.program(String(rest.name)), rest.prefix)
    } else {
      return nil
    }
  }

  /// The text that ``init(_:)`` reads.
  public var description: String {
    switch kind {
    case .etcd(let endpoints):
      "etcd:https://\(endpoints.map(\.authority).joined(separator: ","))/\(prefix)"
    case .program(let name): "program:\(name)/\(prefix)"
    }
  }

  private static func rest(
    of text: String, after start: String
  ) -> (name: Substring, prefix: String)? {
    guard text.hasPrefix(start) else { return nil }
    let rest = text.dropFirst(start.utf8.count)
    guard let slash = rest.firstIndex(of: "/") else { return nil }
    let prefix = String(rest[rest.index(after: slash)...])
    guard prefix.utf8.count <= 200,
      prefix.split(separator: "/" as Character, omittingEmptySubsequences: false)
        .allSatisfy(isWord)
    else { return nil }
    return (rest[..<slash], prefix)
  }

  private static func isWord(_ text: Substring) -> Bool {
    !text.isEmpty && text.first != "."
      && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-_.".utf8.contains($0) }
  }
}
