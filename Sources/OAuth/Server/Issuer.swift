public import HTTP

/// An issuer identifier (RFC 8414 section 2): compared letter by letter.
public struct Issuer: Sendable, Hashable, CustomStringConvertible {
  /// The identifier, as the server writes it.
  public let text: String
  /// The same as a URL.
  public let url: HTTPURL

  /// Reads an issuer: an `https` URL without query or fragment.
  ///
  /// An international host becomes its A-label: a server cannot write it in another way.
  public init(_ text: String) throws(HTTPURLError) {
    let text = Self.withoutDocument(HTTPURL.withALabels(text))
    url = try HTTPURL(text)
    guard url.query == nil, !text.utf8.contains(where: { "#?".utf8.contains($0) }) else {
      throw HTTPURLError(description: "an issuer has no query and no fragment")
    }
    // Other letters have several encodings, which could be confused.
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw HTTPURLError(description: "an issuer is written in ASCII")
    }
    self.text = text
  }

  /// The issuer of the URL of a metadata document, which people copy.
  private static func withoutDocument(_ text: String) -> String {
    for name in ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"]
    where text.hasSuffix(name) {
      return String(text.dropLast(name.count))
    }
    return text
  }

  /// The identifier.
  public var description: String { text }

  /// The URLs where the metadata may be, most usual first.
  ///
  /// OpenID Connect Discovery 1.0 section 4 puts its path behind the issuer's,
  /// RFC 8414 section 3.1 puts it between host and path, whose final slash goes.
  var metadataURLs: [HTTPURL] {
    let candidates = [
      try? url.appending("/.well-known/openid-configuration"), authorizationServerMetadataURL,
      wellKnown("openid-configuration"),
    ]
    var seen: Set<HTTPURL> = []
    return candidates.compactMap { $0 }.filter { seen.insert($0).inserted }
  }

  /// The URL of the metadata of RFC 8414.
  var authorizationServerMetadataURL: HTTPURL? { wellKnown("oauth-authorization-server") }

  private func wellKnown(_ name: String) -> HTTPURL? {
    let path = url.path.hasSuffix("/") ? String(url.path.dropLast()) : url.path
    return try? HTTPURL("\(url.origin)/.well-known/\(name)\(path)")
  }
}
