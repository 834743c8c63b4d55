import HTTP
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
  private let hasFragment: Bool

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
    hasFragment = parts.hasFragment
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

  /// What a redirect URI of an app can be.
  public enum Kind: Sendable, Hashable {
    /// An address of this machine (RFC 8252 section 7.3).
    case loopback
    /// An https address that an app has claimed (RFC 8252 section 7.2).
    case claimed
    /// A scheme that is a domain name backwards (RFC 8252 section 7.1).
    case privateUse
    /// A scheme without a dot, which belongs to nobody.
    case openScheme

    /// Whether a desktop passes its responses to the program that handles the scheme.
    public var usesScheme: Bool { self == .privateUse || self == .openScheme }
  }

  /// What it is; `nil` if no response can arrive at it, or if something follows its path.
  public var kind: Kind? {
    guard !hasQuery, !hasFragment, authority?.contains("@") != true else { return nil }
    switch scheme {
    case "http": return (try? HTTPURL(key))?.isLoopback == true ? .loopback : nil
    case "https": return (try? HTTPURL(key)) == nil ? nil : .claimed
    case _ where Self.schemesOfOthers.contains(scheme): return nil
    default: break
    }
    let labels = scheme.split(separator: ".", omittingEmptySubsequences: false)
    guard !labels.contains(""), authority != nil || path.hasPrefix("/") else { return nil }
    guard labels.count > 1 else { return .openScheme }
    return authority?.isEmpty == true ? nil : .privateUse
  }

  /// What a person should know before the URI is used; `nil` if there is nothing to know.
  public var caution: String? {
    guard kind == .openScheme else { return nil }
    return
      "any program can claim the scheme '\(scheme)', because it is not a domain name backwards "
      + "(RFC 8252 section 7.1)"
  }

  /// Schemes that belong to protocols and browsers.
  private static let schemesOfOthers: Set<String> = [
    "about", "blob", "chrome", "data", "file", "filesystem", "ftp", "javascript", "mailto", "sms",
    "ssh", "tel", "urn", "vbscript", "view-source", "ws", "wss",
  ]
}

/// A URI by its punctuation (RFC 3986 appendix B), without its fragment.
private struct Parts {
  let scheme: String
  let authority: String?
  let path: String
  let query: String?
  let hasFragment: Bool

  init?(_ text: String) {
    // Twice what a response may have, so that the response's own limit decides.
    guard text.utf8.count <= 2 * AuthorizationResponse.maximumByteCount,
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    scheme = text[..<colon].asciiLowercased
    guard let first = scheme.utf8.first, Self.letters.contains(first),
      scheme.utf8.allSatisfy({ Self.letters.contains($0) || "0123456789+-.".utf8.contains($0) })
    else { return nil }
    let rest = text[colon...].dropFirst().prefix { $0 != "#" }
    hasFragment = text.utf8.contains(UInt8(ascii: "#"))
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
