import Primitives

/// The servers that a pin set applies to.
///
/// Its text is `example.com` (that host), `*.example.com` (every name with exactly one more label,
/// as in certificates and okhttp), or `**.example.com` (the host and all names below it, as
/// `includeSubdomains` of HPKP, Android and TrustKit). `:8443` behind it limits it to one port.
public struct PinPattern: Sendable, Hashable, CustomStringConvertible {
  /// Which names besides the host are covered.
  public enum Subdomains: Int, Sendable, Hashable, CaseIterable {
    /// The host only.
    case none
    /// The names with one more label, without the host itself: `*.`.
    case direct
    /// The host and all names below it: `**.`.
    case all
  }

  /// The host, as ``HostName/normalized(_:)`` returns it.
  public let host: String
  /// Which names besides the host are covered; `none` for an IP address.
  public let subdomains: Subdomains
  /// The only port; `nil` for every port.
  public let port: UInt16?
  /// Whether the server is an HTTPS proxy, not an origin.
  public let isProxy: Bool

  /// Describes the servers of a host.
  ///
  /// - Returns: `nil` if the host is not a host name or an address, for direct subdomains of an
  ///   address, and for port 0. An address does not have subdomains, so `all` is the address itself.
  public init?(
    host: String, subdomains: Subdomains = .none, port: UInt16? = nil, isProxy: Bool = false
  ) {
    guard let host = HostName.normalized(host), port != 0 else { return nil }
    let isAddress = HostName.isAddress(host)
    guard !isAddress || subdomains != .direct else { return nil }
    self.host = host
    self.subdomains = isAddress ? .none : subdomains
    self.port = port
    self.isProxy = isProxy
  }

  /// Reads the text of a pattern, without white space; `nil` for anything else.
  public init?(_ text: String, isProxy: Bool = false) {
    let subdomains: Subdomains =
      text.hasPrefix("**.") ? .all : text.hasPrefix("*.") ? .direct : .none
    let rest = text.dropFirst(subdomains == .all ? 3 : subdomains == .direct ? 2 : 0)
    guard let (host, port) = Self.split(rest) else { return nil }
    if subdomains != .none, HostName.normalized(host).map(HostName.isAddress) == true { return nil }
    self.init(host: host, subdomains: subdomains, port: port, isProxy: isProxy)
  }

  /// The text of the pattern; an IPv6 address with a port is in brackets.
  public var description: String {
    let prefix =
      switch subdomains {
      case .none: ""
      case .direct: "*."
      case .all: "**."
      }
    guard let port else { return prefix + host }
    return "\(prefix)\(HostName.bracketed(host)):\(port)"
  }

  /// Whether the pattern applies to a normalised host at a port.
  public func covers(_ host: String, port: UInt16) -> Bool {
    coversName(host) && (self.port == nil || self.port == port)
  }

  /// Whether the pattern applies to a normalised host at some port.
  package func coversName(_ host: String) -> Bool {
    guard host != self.host else { return subdomains != .direct }
    // A suffix alone is not enough: evil-example.com is not below example.com.
    guard subdomains != .none, host.hasSuffix("." + self.host) else { return false }
    let head = host.dropLast(self.host.utf8.count + 1)
    return subdomains == .all || !head.utf8.contains(UInt8(ascii: "."))
  }

  /// The same servers with other subdomains.
  public func with(subdomains: Subdomains) -> PinPattern? {
    PinPattern(host: host, subdomains: subdomains, port: port, isProxy: isProxy)
  }

  private static func split(_ text: Substring) -> (host: String, port: UInt16?)? {
    let whole = (String(text), UInt16?.none)
    // More than one colon without brackets is an IPv6 address.
    let colons = text.utf8.count { $0 == UInt8(ascii: ":") }
    guard colons == 1 || text.first == "[" && text.last != "]",
      let colon = text.lastIndex(of: ":")
    else { return whole }
    let digits = text[text.index(after: colon)...]
    guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy(\.isDigit),
      let port = UInt16(digits)
    else { return nil }
    return (String(text[..<colon]), port)
  }
}

extension PinPattern: Comparable {
  /// Orders by host, then by what is covered, then by port; origins before proxies.
  public static func < (left: PinPattern, right: PinPattern) -> Bool {
    (left.isProxy ? 1 : 0, left.host, left.subdomains.rawValue, left.port ?? 0)
      < (right.isProxy ? 1 : 0, right.host, right.subdomains.rawValue, right.port ?? 0)
  }
}

/// A list of the names under which anybody can register: `com`, `co.uk`, `github.io`.
///
/// The module has no list of its own: `SDKCore` gives that of libpsl to the sets of a profile.
public struct PublicSuffixes: Sendable {
  private let isListed: @Sendable (String) -> Bool

  /// Takes a function that tells whether a normalised host is on the list.
  public init(_ isListed: @escaping @Sendable (String) -> Bool) { self.isListed = isListed }

  /// No list: only the top level is public.
  public static let topLevel = PublicSuffixes { !$0.utf8.contains(UInt8(ascii: ".")) }

  /// Whether a normalised host is a public suffix.
  public func contains(_ host: String) -> Bool { isListed(host) }

  /// Whether a public suffix lies between a host and one of its parents, or is the parent.
  ///
  /// Then others than the owner of the parent may own the host.
  func separates(_ host: String, from parent: String) -> Bool {
    if contains(parent) { return true }
    var name = host[...]
    while let dot = name.firstIndex(of: ".") {
      name = name[name.index(after: dot)...]
      guard name.utf8.count > parent.utf8.count else { return false }
      if contains(String(name)) { return true }
    }
    return false
  }
}
