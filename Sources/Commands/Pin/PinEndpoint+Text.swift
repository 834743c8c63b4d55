import HTTP
import Pinning
import Primitives
import SDKCore

extension PinEndpoint {
  init(_ url: HTTPURL) { self.init(host: url.host, port: url.port) }

  /// Reads `HOST`, `HOST:PORT` or a URL; `nil` for anything else.
  init?(_ text: String) {
    guard let url = try? HTTPURL(text.containsText("://") ? text : "https://\(text)"),
      text.containsText("://") || url.target == "/" && !text.hasSuffix("/")
    else { return nil }
    self.init(url)
  }

  /// As it is typed: an IPv6 address in brackets, and the port if it is not 443.
  var name: String { port == 443 ? HostName.bracketed(host) : description }

  /// The same for people: with the U-labels of an international name.
  var shown: String { name.shown(withLabelsOf: host) }

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
  static func places(of profile: Profile) -> [PinEndpoint] {
    var places: [PinEndpoint] = []
    for url in profile.urls where url.scheme == .https {
      let place = PinEndpoint(url)
      if !places.contains(place) { places.append(place) }
    }
    return places
  }
}
