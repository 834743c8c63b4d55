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
}

extension Cookie: CustomStringConvertible, CustomDebugStringConvertible {
  /// The name and where it is sent; the value is redacted.
  public var description: String { "Cookie(\(name)=‹redacted›; \(domain)\(path))" }

  /// Redacted, as ``description``.
  public var debugDescription: String { description }
}

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

extension Cookie {
  /// Name and value, as in the field `Cookie`.
  fileprivate var pair: String { name.isEmpty ? value : "\(name)=\(value)" }
}
