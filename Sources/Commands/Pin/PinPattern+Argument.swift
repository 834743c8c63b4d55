import Arguments
import Pinning
import Primitives
import SDKCore

extension PinPattern {
  /// Reads what a person types: a pattern, or the URL of a host.
  ///
  /// A pattern names a port only if it is meant for that port alone; a URL never does.
  init?(argument text: String) {
    guard text.containsText("://") else {
      self.init(text)
      return
    }
    guard let place = PinEndpoint(text) else { return nil }
    self.init(host: place.host)
  }
}

extension PinPattern {
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
