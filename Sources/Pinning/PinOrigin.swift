/// Where a pin came from.
///
/// Its text is the kind and the source: `server api.example.com:443`, `file ca.pem`.
public struct PinOrigin: Sendable, Hashable, CustomStringConvertible {
  /// The way a pin came into a set.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// From the validated path of a server; the source is its host and port.
    case server
    /// From a file with a certificate or a key; the source is its path.
    case file
    /// Typed as a hash.
    case value
    /// From a document of another program; the source is its format and path.
    case `import`
    /// From a signed pin set; the source is its URL.
    case update
    /// A backup key that was made here; the source is its path.
    case backup
  }

  /// The way.
  public let kind: Kind
  /// The host, path or URL.
  public let source: String?

  /// Describes an origin.
  public init(_ kind: Kind, _ source: String? = nil) {
    self.kind = kind
    self.source = source
  }

  /// Reads the text of an origin; `nil` for an unknown kind.
  public init?(_ text: String) {
    let parts = text.split(separator: " ", maxSplits: 1)
    guard let word = parts.first, let kind = Kind(rawValue: String(word)) else { return nil }
    self.init(kind, parts.count == 2 ? String(parts[1]) : nil)
  }

  /// The text of the origin.
  public var description: String {
    [kind.rawValue, source].compactMap { $0 }.joined(separator: " ")
  }
}
