public import Primitives

extension Cookie {
  /// Reads a field `Set-Cookie` (RFC 6265 section 5.2 and 5.3, and the prefixes of its successor).
  ///
  /// The cookie may have expired; it is `nil` if it must be ignored.
  ///
  /// - Parameters:
  ///   - field: the value of the field.
  ///   - url: where the response came from.
  ///   - now: the time.
  ///   - isPublic: tells whether anybody can register names under a domain.
  public init?(
    setCookie field: String, from url: HTTPURL, at now: Timestamp,
    isPublicSuffix isPublic: (String) -> Bool
  ) {
    // By bytes: a semicolon with a combining mark is one Character in Swift.
    var parts = field.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)[
      ...]
    guard let pair = parts.popFirst() else { return nil }
    let (name, value) = Self.nameAndValue(Substring(pair))
    guard let value, !name.isEmpty, name.utf8.count + value.utf8.count <= Self.maximumPair
    else { return nil }
    var attributes = SetCookieAttributes()
    for part in parts { attributes.read(Substring(part), at: now) }
    guard let scope = Self.scope(attributes.domain, of: url, isPublic) else { return nil }
    let path = attributes.path ?? Self.defaultPath(of: url)
    guard url.scheme == .https || !attributes.isSecure,
      Self.obeysPrefix(name, attributes, isHostOnly: scope.isHostOnly, path: path)
    else { return nil }
    self.init(
      name: name, value: value, domain: scope.domain, isHostOnly: scope.isHostOnly, path: path,
      expires: attributes.end, isSecure: attributes.isSecure, isHTTPOnly: attributes.isHTTPOnly)
  }

  /// The hosts that the cookie is sent to; `nil` if the server must not set it for that domain.
  private static func scope(
    _ domain: String?, of url: HTTPURL, _ isPublic: (String) -> Bool
  ) -> (domain: String, isHostOnly: Bool)? {
    guard let domain, !domain.isEmpty else { return (url.host, true) }
    // A final dot makes it another domain, of which no host is a part.
    guard domain.utf8.last != UInt8(ascii: "."), let name = HostName.normalized(domain) else {
      return nil
    }
    if HostName.isAddress(name) || isPublic(name) { return name == url.host ? (name, true) : nil }
    return host(url.host, isWithin: name) ? (name, false) : nil
  }

  /// The directory of the URL's path (section 5.1.4).
  private static func defaultPath(of url: HTTPURL) -> String {
    guard let slash = url.path.lastIndex(of: "/"), slash != url.path.startIndex else { return "/" }
    return String(url.path[..<slash])
  }

  /// Whether the attributes are those that the prefix `__Secure-` or `__Host-` requires.
  private static func obeysPrefix(
    _ name: String, _ attributes: SetCookieAttributes, isHostOnly: Bool, path: String
  ) -> Bool {
    let name = name.asciiLowercased
    if name.hasPrefix("__secure-") { return attributes.isSecure }
    guard name.hasPrefix("__host-") else { return true }
    return attributes.isSecure && isHostOnly && attributes.path == "/" && path == "/"
  }

  /// Name and value of a pair; `nil` for the value if there is no `=`.
  fileprivate static func nameAndValue(_ text: Substring) -> (name: String, value: String?) {
    guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "=")) else {
      return (text.trimmingBlanks, nil)
    }
    return (text[..<mark].trimmingBlanks, text[text.utf8.index(after: mark)...].trimmingBlanks)
  }

  /// How long name and value may be together, in bytes (RFC 6265bis section 5.7).
  private static let maximumPair = 4096
  /// The same of the value of an attribute; a longer one is ignored.
  fileprivate static let maximumAttribute = 1024
}

/// The attributes of a field `Set-Cookie`; of repeated ones the last counts.
private struct SetCookieAttributes {
  var domain: String?
  var path: String?
  var isSecure = false
  var isHTTPOnly = false
  private var expires: Timestamp?
  private var maximumAge: Timestamp?

  /// `Max-Age` counts before `Expires`.
  var end: Timestamp? { maximumAge ?? expires }

  mutating func read(_ text: Substring, at now: Timestamp) {
    let (name, value) = Cookie.nameAndValue(text)
    guard value?.utf8.count ?? 0 <= Cookie.maximumAttribute else { return }
    switch name.asciiLowercased {
    case "expires": expires = HTTPDate.read(value ?? "") ?? expires
    case "max-age": maximumAge = Self.end(after: value ?? "", now) ?? maximumAge
    case "domain":
      let name = value ?? ""
      domain = String(name.hasPrefix(".") ? name.dropFirst() : name[...])
    case "path": path = value.flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
    case "secure": isSecure = true
    case "httponly": isHTTPOnly = true
    default: break
    }
  }

  /// Digits with an optional minus; zero and less are the past.
  private static func end(after text: String, _ now: Timestamp) -> Timestamp? {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    guard !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit) else { return nil }
    guard !text.hasPrefix("-") else { return 0 }
    guard let seconds = Int64(digits) else { return HTTPDate.last }
    return seconds == 0 ? 0 : min(now + seconds, HTTPDate.last)
  }
}
