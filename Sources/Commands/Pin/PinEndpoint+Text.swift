import HTTP
import Pinning
import Primitives
import SDKCore

extension PinEndpoint {
  /// Reads `HOST`, `HOST:PORT` or a URL; `nil` for anything else.
  ///
  /// - Parameters:
  ///   - text: the host.
  ///   - startTLS: what it speaks before TLS; `nil` if the URL says it.
  init?(_ text: String, _ startTLS: StartTLS? = nil) {
    let (scheme, rest) = Self.split(text)
    guard scheme != nil || !rest.contains("/") else { return nil }
    if scheme == nil || scheme == "https" || scheme == "http" {
      guard scheme == nil || startTLS == nil,
        let url = try? HTTPURL("\(scheme ?? "https")://\(rest)"), scheme != nil || url.target == "/"
      else { return nil }
      self.init(url)
      guard let startTLS else { return }
      self.startTLS = startTLS
      if !Self.namesPort(rest) { self = with(port: startTLS.defaultPort) }
      return
    }
    guard let known = Self.schemes[scheme ?? ""], startTLS == nil || startTLS == known.startTLS,
      let url = try? HTTPURL("https://\(rest)")
    else { return nil }
    self.init(
      host: url.host, port: Self.namesPort(rest) ? url.port : known.port, startTLS: known.startTLS)
  }

  /// The schemes of servers besides those of the web, with their ports.
  ///
  /// Where TLS begins at once, the name of the scheme ends with `s`.
  private static let schemes: [String: (startTLS: StartTLS?, port: UInt16)] = {
    var schemes: [String: (startTLS: StartTLS?, port: UInt16)] = [
      "smtps": (nil, 465), "imaps": (nil, 993), "pop3s": (nil, 995), "ldaps": (nil, 636),
      "xmpps": (nil, 5223), "postgresql": (.postgres, StartTLS.postgres.defaultPort),
    ]
    for startTLS in StartTLS.allCases {
      schemes[startTLS.rawValue] = (startTLS, startTLS.defaultPort)
    }
    return schemes
  }()

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
  func with(port: UInt16) -> PinEndpoint {
    PinEndpoint(host: host, port: port, startTLS: startTLS, address: address)
  }

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
