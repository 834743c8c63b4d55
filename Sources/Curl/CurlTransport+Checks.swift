package import HTTP
import Pinning
import Primitives

// The TLS checks that a request requires.
extension CurlTransport {
  /// The checks of a connection for that request; `nil` without TLS.
  func check(for request: HTTPRequest) throws(TransportError) -> HandshakeCheck? {
    if let refusal = refusal(of: request.url) { throw refusal }
    guard request.url.scheme == .https else { return nil }
    let pins = PinRule(request.url.host, request.url.port, in: configuration)
    guard pins.isUsable else {
      pins.report(pins.verdict(of: []))
      return try check(request, .chain)
    }
    return try check(request, .pins(pins))
  }

  package func refusal(of url: HTTPURL) -> TransportError? {
    guard url.scheme == .https else {
      if url.isLoopback, configuration.insecureLoopback { return nil }
      return TransportError(.refused, url.insecureRefusal, host: url.host)
    }
    let pins = PinRule(url.host, url.port, in: configuration)
    guard pins.isEnforced, !pins.isUsable else { return nil }
    guard let set = pins.set else {
      return TransportError(
        .notPinned, "no key is pinned for \(url.host)", host: url.authority)
    }
    let date = set.expires.map { " on \($0.date)" } ?? ""
    return TransportError(
      .pinsExpired, "the pins of \(url.host) expired\(date)", host: url.authority)
  }

  private func check(
    _ request: HTTPRequest, _ rule: HandshakeCheck.Rule
  ) throws(TransportError) -> HandshakeCheck {
    HandshakeCheck(
      host: request.url.host, rule: rule, proxy: try proxyRule(for: request.url.host),
      stopsForIdentity: request.stopsForCertificate,
      clientChain: request.clientCertificate?.chain,
      securityTokenCertificate: try SecurityTokenCertificate(
        request.clientCertificate, host: request.url.host),
      extraCAFile: configuration.extraCAFile)
  }

  /// The proxy of the environment in front of a host, with its pins.
  ///
  /// - Throws: ``TransportError/Code/pinMismatch`` if the pins of the proxy could not be checked.
  func proxyRule(
    for host: String
  ) throws(TransportError) -> HandshakeCheck.ProxyRule? {
    guard let proxy = try proxy() else { return nil }
    guard proxy.usesTLS, configuration.pins.sets.contains(where: \.pattern.isProxy) else {
      return HandshakeCheck.ProxyRule(proxy: proxy, pins: nil)
    }
    guard let place = proxy.host else {
      throw TransportError(
        .pinMismatch,
        "the pins of proxies cannot be checked: the URL of the proxy has no host that "
          + "can be read")
    }
    let pins = PinRule(place, proxy.port, isProxy: true, in: configuration)
    guard pins.set != nil else { return HandshakeCheck.ProxyRule(proxy: proxy, pins: nil) }
    let isLikeHost = HandshakeCheck.serverName(of: place) == HandshakeCheck.serverName(of: host)
    if pins.isEnforced, isLikeHost, !proxy.isCertainlyBypassed(for: host) {
      throw TransportError(
        .pinMismatch,
        "the pins of the proxy \(place) cannot be checked: a handshake does not tell it "
          + "from the host", host: place)
    }
    return HandshakeCheck.ProxyRule(proxy: proxy, pins: pins)
  }
}

extension HTTPURL {
  fileprivate var insecureRefusal: String {
    isLoopback
      ? "http is not allowed, not even to this machine, unless insecureLoopback is set"
      : "http is not allowed to another machine"
  }
}
