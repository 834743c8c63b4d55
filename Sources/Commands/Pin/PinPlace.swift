import HTTP
import Pinning
import Primitives
import SDKCore

/// A host and a port where a chain can be seen.
struct PinPlace: Sendable, Hashable {
  let host: String
  let port: UInt16

  init(_ url: HTTPURL) {
    host = url.host
    port = url.port
  }

  init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// Reads `HOST`, `HOST:PORT` or a URL; `nil` for anything else.
  init?(_ text: String) {
    guard let url = try? HTTPURL(text.containsText("://") ? text : "https://\(text)"),
      text.containsText("://") || url.target == "/" && !text.hasSuffix("/")
    else { return nil }
    self.init(url)
  }

  /// The host and the port, also if it is 443.
  var address: String { "\(HostName.bracketed(host)):\(port)" }

  /// As it is typed: an IPv6 address in brackets, and the port if it is not 443.
  var description: String { port == 443 ? HostName.bracketed(host) : address }

  /// The same for people: with the U-labels of an international name.
  var shown: String { description.shown(withLabelsOf: host) }

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

extension PinReview {
  /// Where a profile will send requests: its issuer and its resource server, each once.
  static func places(of profile: Profile) -> [PinPlace] {
    var places: [PinPlace] = []
    for url in profile.urls where url.scheme == .https {
      let place = PinPlace(url)
      if !places.contains(place) { places.append(place) }
    }
    return places
  }
}
