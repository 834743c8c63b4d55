import Arguments
import Pinning
import Primitives
import SDKCore

extension PinPattern {
  /// Reads what a person types: a pattern, or the URL of a host.
  ///
  /// A pattern names a port only if it is meant for that port alone; a URL of the web never does.
  init?(argument text: String) {
    guard text.containsText("://") else {
      self.init(text)
      return
    }
    guard let place = PinEndpoint(text) else { return nil }
    let isOfWeb = ["https://", "http://"].contains { text.asciiLowercased.hasPrefix($0) }
    self.init(host: place.host, port: isOfWeb ? nil : place.port)
  }
}

extension PinPattern {
  /// The same servers at one port.
  func with(port: UInt16) -> PinPattern {
    PinPattern(host: host, subdomains: subdomains, port: port, isProxy: isProxy) ?? self
  }

  /// The same pattern for HTTPS proxies, or for the servers behind them.
  func of(proxy isProxy: Bool) -> PinPattern {
    PinPattern(host: host, subdomains: subdomains, port: port, isProxy: isProxy) ?? self
  }
}

extension PinPattern: ArgumentValue {
  static func reading(_ text: String) throws(ValueError) -> PinPattern {
    guard let pattern = PinPattern(text) else {
      throw ValueError(
        "not a host, *.HOST or **.HOST, with or without :PORT"
          + Failure.clause(about: text))
    }
    return pattern
  }
}
