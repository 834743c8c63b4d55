public import Primitives

/// A cookie as a server set it (RFC 6265 section 5.3).
public struct Cookie: Sendable, Hashable {
  /// The name.
  public let name: String
  /// The value, as received; a secret.
  public let value: String
  /// The host, or the domain, that the cookie is sent to; lower-case.
  public let domain: String
  /// Whether it is sent to that host only, and not to subdomains.
  public let isHostOnly: Bool
  /// The path below which it is sent.
  public let path: String
  /// When it expires; `nil` for the end of the session.
  public let expires: Timestamp?
  /// Whether it is sent over TLS only.
  public let isSecure: Bool
  /// Whether scripts of pages cannot read it (`HttpOnly`).
  public let isHTTPOnly: Bool

  /// Makes a cookie; `nil` if name, value, domain or path are not valid.
  public init?(
    name: String, value: String, domain: String, isHostOnly: Bool, path: String = "/",
    expires: Timestamp? = nil, isSecure: Bool = true, isHTTPOnly: Bool = true
  ) {
    let text = [name, value, path]
    guard !name.isEmpty || !value.isEmpty, path.utf8.first == UInt8(ascii: "/"),
      let host = HostName.normalized(domain),
      text.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != 0x3B } }),
      !name.utf8.contains(UInt8(ascii: "="))
    else { return nil }
    self.name = name
    self.value = value
    self.domain = host
    self.isHostOnly = isHostOnly
    self.path = path
    self.expires = expires
    self.isSecure = isSecure
    self.isHTTPOnly = isHTTPOnly
  }

  /// Whether it has expired.
  public func isExpired(at now: Timestamp) -> Bool { expires.map { $0 <= now } ?? false }

  /// Whether it is sent to a URL, by host, path and scheme; the time of expiry is not checked.
  public func matches(_ url: HTTPURL) -> Bool {
    let host = isHostOnly ? url.host == domain : Cookie.host(url.host, isWithin: domain)
    return host && Cookie.path(url.path, isBelow: path) && (!isSecure || url.scheme == .https)
  }

  /// Whether another cookie replaces this one: name, domain and path are the same.
  public func isReplaced(by other: Cookie) -> Bool {
    sameIdentifier(name, other.name) && domain == other.domain
      && isHostOnly == other.isHostOnly && sameIdentifier(path, other.path)
  }

  /// Whether a host is a domain or one of its subdomains (RFC 6265 section 5.1.3).
  static func host(_ host: String, isWithin domain: String) -> Bool {
    host == domain || (host.hasSuffix("." + domain) && !HostName.isAddress(host))
  }

  /// Whether a path is another one or below it (section 5.1.4).
  private static func path(_ path: String, isBelow parent: String) -> Bool {
    let (path, parent) = (path.utf8, parent.utf8)
    guard path.starts(with: parent) else { return false }
    return path.count == parent.count || parent.last == UInt8(ascii: "/")
      || path.dropFirst(parent.count).first == UInt8(ascii: "/")
  }

  /// Name and value, as in the field `Cookie`.
  fileprivate var pair: String { name.isEmpty ? value : "\(name)=\(value)" }

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

  /// Seven columns: domain, subdomains, path, secure, expiry (0 for a session), name, value.
  fileprivate var netscapeLine: String {
    func word(_ isTrue: Bool) -> String { isTrue ? "TRUE" : "FALSE" }
    let columns = [
      (isHTTPOnly ? "#HttpOnly_" : "") + (isHostOnly ? domain : "." + domain),
      word(!isHostOnly), path, word(isSecure), "\(expires?.seconds ?? 0)", name, value,
    ]
    return columns.joined(separator: "\t")
  }
}

extension Cookie: Redacted {}

extension [Cookie] {
  /// The value of the field `Cookie` of a request: those with the longest paths first.
  ///
  /// - Returns: the value; `nil` if no cookie is for that URL, or all have expired.
  public func header(for url: HTTPURL, at now: Timestamp) -> String? {
    let sent = enumerated().filter { $0.element.matches(url) && !$0.element.isExpired(at: now) }
    let sorted = sent.sorted {
      ($1.element.path.utf8.count, $0.offset) < ($0.element.path.utf8.count, $1.offset)
    }
    guard !sorted.isEmpty else { return nil }
    return sorted.map { $0.element.pair }.joined(separator: "; ")
  }
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

extension [Cookie] {
  /// The cookies as a file in the format of Netscape, which `curl -b` and others read.
  public var netscapeFile: [String] {
    ["# Netscape HTTP Cookie File"] + map(\.netscapeLine)
  }
}
