internal import Primitives

/// An absolute `https` or `http` URL, parsed once and normalised.
///
/// The host is a name in lower-case ASCII (an international name becomes its A-label) or an IP address.
/// There is no user information and no fragment, so that all code, libcurl's too, reads the same host in
/// a URL (RFC 3986, RFC 9110 section 4.2).
public struct HTTPURL: Sendable, Hashable, CustomStringConvertible {
  /// The supported schemes.
  public enum Scheme: String, Sendable {
    /// HTTP over TLS.
    case https
    /// HTTP without TLS: for loopback only, and only if a profile allows it.
    case http

    /// The default port.
    package var defaultPort: UInt16 { self == .https ? 443 : 80 }
  }

  /// The scheme.
  public let scheme: Scheme
  /// The host, lower-case; an IPv6 address without brackets.
  public let host: String
  /// The port, also when it is the scheme's own.
  public let port: UInt16
  /// The path, percent-encoded, never empty.
  public let path: String
  /// The text after `?`, percent-encoded; `nil` without `?`.
  public let query: String?

  init(scheme: Scheme, host: String, port: UInt16, path: String, query: String?) {
    self.scheme = scheme
    self.host = host
    self.port = port
    self.path = path.isEmpty ? "/" : path
    self.query = query
  }

  /// The URL of the same origin with another path and query.
  func with(path: String, query: String?) -> HTTPURL {
    HTTPURL(scheme: scheme, host: host, port: port, path: path, query: query)
  }

  /// Host and port, without the scheme's own port; an IPv6 address in brackets.
  public var authority: String {
    let name = HostName.bracketed(host)
    return port == scheme.defaultPort ? name : "\(name):\(port)"
  }

  /// Scheme, host and port: the origin (RFC 6454), without a final slash.
  public var origin: String { scheme.rawValue + "://" + authority }

  /// Path and query, as in a request line.
  public var target: String { query.map { path + "?" + $0 } ?? path }

  /// The whole URL.
  public var description: String { origin + target }

  /// Whether the host is this machine: `localhost`, 127.0.0.0/8 or ::1.
  public var isLoopback: Bool {
    host == "localhost" || IPAddress(host)?.isLoopback == true
  }

  /// Whether both URLs have one origin.
  public func sharesOrigin(with other: HTTPURL) -> Bool {
    port == other.port && scheme == other.scheme && host == other.host
  }

  /// The URL with a path appended to its own, and the query of that path.
  ///
  /// They are joined by exactly one slash.
  ///
  /// - Throws: ``HTTPURLError`` if the path is not valid, or could leave that of the URL.
  public func appending(_ path: String) throws(HTTPURLError) -> HTTPURL {
    let slash = UInt8(ascii: "/")
    let base = self.path.utf8.last == slash ? String(self.path.dropLast()) : self.path
    let startsWithSlash = path.utf8.first == slash
    let parts = try PathAndQuery(startsWithSlash ? path : "/" + path)
    // Dot segments are removed first, so that no path leaves the base.
    let tail = withoutDotSegments(parts.path)
    guard base.isEmpty || !hidesParentSegment(tail) else {
      throw HTTPURLError(description: "a segment '..' is hidden in its path")
    }
    var query = self.query ?? parts.query
    if let first = self.query, let second = parts.query { query = "\(first)&\(second)" }
    return with(
      path: base.isEmpty ? tail : base + tail, query: query?.isEmpty == true ? nil : query)
  }

  /// The URL without its query.
  public var withoutQuery: HTTPURL {
    with(path: path, query: nil)
  }

  /// The URL with an encoded query in place of its own.
  package func withQuery(_ query: String) -> HTTPURL {
    with(path: path, query: query)
  }

  /// The URL with parameters appended to its query.
  public func adding(_ parameters: FormParameters) -> HTTPURL {
    guard !parameters.isEmpty else { return self }
    let query = [self.query, parameters.encoded].compactMap { $0 }.filter { !$0.isEmpty }
    return with(path: path, query: query.joined(separator: "&"))
  }
}

/// Why a text was refused as a URL: lower case, without secrets.
public struct HTTPURLError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong.
  public let description: String

  /// Makes an error.
  public init(description: String) { self.description = description }
}
