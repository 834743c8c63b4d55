import HTTP
import JSON
import Pinning
import Primitives
import SDKCore

extension PinEndpoint {
  /// Reads `HOST`, `HOST:PORT` or a URL; `nil` for anything else.
  init?(_ text: String) {
    let (scheme, rest) = Self.split(text)
    guard scheme != nil || !rest.contains("/") else { return nil }
    if scheme == nil || scheme == "https" || scheme == "http" {
      guard let url = try? HTTPURL("\(scheme ?? "https")://\(rest)"),
        scheme != nil || url.target == "/"
      else { return nil }
      self.init(url)
      return
    }
    guard let port = Self.schemes[scheme ?? ""], let url = try? HTTPURL("https://\(rest)") else {
      return nil
    }
    self.init(host: url.host, port: Self.namesPort(rest) ? url.port : port)
  }

  /// Whether a text that names a server names its port too.
  static func namesPort(in text: String) -> Bool { namesPort(split(text).rest) }

  /// The schemes of servers besides those of the web that begin with TLS, with their ports.
  private static let schemes: [String: UInt16] = [
    "smtps": 465, "imaps": 993, "pop3s": 995, "ldaps": 636, "xmpps": 5223,
  ]

  private static func split(_ text: String) -> (scheme: String?, rest: String) {
    guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else {
      return (nil, text)
    }
    return (text[..<colon].asciiLowercased, String(text[colon...].dropFirst(3)))
  }

  /// Whether a port stands in what follows the scheme: then it is not that of the scheme.
  private static func namesPort(_ rest: String) -> Bool {
    let urls = ["https", "http"].compactMap { try? HTTPURL("\($0)://\(rest)") }
    return urls.count == 2 && urls[0].port == urls[1].port
  }

  /// The same server at another port.
  func with(port: UInt16) -> PinEndpoint { PinEndpoint(host: host, port: port, address: address) }

  /// The name with the address, if only that is meant.
  var place: String { name + at }

  /// The same for people: with the U-labels of an international name.
  var shown: String { name.shown(withLabelsOf: host) + at }

  private var at: String { address.map { " at \($0)" } ?? "" }

  /// The host for people.
  var shownHost: String { host.shown(withLabelsOf: host) }
}

extension PinPattern {
  /// The pattern for people: with the U-labels of an international name.
  var shown: String { description.shown(withLabelsOf: host) }
}

extension String {
  fileprivate func shown(withLabelsOf host: String) -> String {
    InternationalName.unicode(host).map { "\(self) (\($0))" } ?? self
  }
}

/// A host of a list.
struct ShownHost: OutputValue {
  let host: String
  let name: String
  let shown: String

  init(_ endpoint: PinEndpoint) {
    (host, name, shown) = (
      endpoint.host, endpoint.name, endpoint.name.shown(withLabelsOf: endpoint.host)
    )
  }

  init(_ pattern: PinPattern) {
    let proxy = pattern.isProxy ? "proxy " : ""
    (host, name, shown) = (pattern.description, proxy + pattern.description, proxy + pattern.shown)
  }

  /// What is no host.
  init(_ name: String) { (host, self.name, shown) = (name, name, name) }

  static let meaning = "the host; in lines with its port, unless that is 443"

  var json: JSON { .string(host) }
  func cell(_ name: String, at now: Timestamp?) -> TextTable.Cell {
    .init(now == nil ? self.name : shown)
  }
}
