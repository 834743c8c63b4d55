import Primitives

/// A redirect URI, split into the parts that are compared with a response (RFC 8252 section 7).
///
/// An address is a response if scheme, authority and path are the same, as a whole and not by their
/// beginnings: `com.example.app:/cb` is neither `com.example.app:/cbx` nor, with an
/// authority, `com.example.app://cb.evil.test/cb`.
public struct RedirectURI: Sendable, Hashable {
  /// The scheme in lower case, without its colon.
  public let scheme: String
  private let authority: String?
  private let path: String
  private let hasQuery: Bool

  /// Reads a URI; `nil` if it has no scheme or is not a URI.
  public init?(_ text: String) {
    guard let parts = Parts(text) else { return nil }
    self.init(parts)
  }

  private init(_ parts: Parts) {
    scheme = parts.scheme
    authority = parts.authority
    path = parts.path
    hasQuery = parts.query != nil
  }

  /// The encoded parameters of an address, if it is this URI with a response.
  package func parameters(in address: String) -> String? {
    guard let parts = Parts(address), RedirectURI(parts).key == key else { return nil }
    return parts.query ?? ""
  }

  /// The part that this URI and every response to it have in common.
  package var key: String {
    // A browser sends an empty path below a host as a slash.
    let path = path.isEmpty && authority != nil ? "/" : path
    return "\(scheme):\(authority.map { "//" + $0 } ?? "")\(path)"
  }

  /// Whether its scheme belongs to a program and not to a protocol.
  private var isPrivateUse: Bool { !["http", "https"].contains(scheme) }

  /// Whether it may be registered: a domain name backwards is its scheme (RFC 8252 section 7.1),
  /// and nothing follows its path.
  public var isAcceptablePrivateUse: Bool {
    let labels = scheme.split(separator: ".", omittingEmptySubsequences: false)
    guard isPrivateUse, labels.count > 1, !labels.contains(""), !hasQuery else { return false }
    guard let authority else { return path.hasPrefix("/") }
    return !authority.isEmpty && !authority.contains("@")
  }
}

/// A URI by its punctuation (RFC 3986 appendix B), without its fragment.
private struct Parts {
  let scheme: String
  let authority: String?
  let path: String
  let query: String?

  init?(_ text: String) {
    // Twice what a response may have, so that the response's own limit decides.
    guard text.utf8.count <= 32_768, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    scheme = text[..<colon].asciiLowercased
    guard let first = scheme.utf8.first, Self.letters.contains(first),
      scheme.utf8.allSatisfy({ Self.letters.contains($0) || "0123456789+-.".utf8.contains($0) })
    else { return nil }
    let rest = text[colon...].dropFirst().prefix { $0 != "#" }
    let halves = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    query = halves.count > 1 ? String(halves[1]) : nil
    let hierarchy = halves.first ?? ""
    guard hierarchy.hasPrefix("//") else {
      authority = nil
      path = String(hierarchy)
      return
    }
    let place = hierarchy.dropFirst(2)
    let end = place.firstIndex(of: "/") ?? place.endIndex
    authority = place[..<end].asciiLowercased
    path = String(place[end...])
  }

  private static let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
}
