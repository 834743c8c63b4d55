import HTTP
import Pinning
import Primitives

// The TLS checks that a request requires.
extension CurlTransport {
  /// The checks of a connection for that request; `nil` without TLS.
  func check(for request: HTTPRequest) throws(TransportError) -> HandshakeCheck? {
    let url = request.url
    guard url.scheme == .https else {
      if url.isLoopback, configuration.insecureLoopback { return nil }
      throw TransportError(.refused, url.insecureRefusal, host: url.host)
    }
    let requirement = PinRequirement(
      of: configuration.pins.set(for: url.host, port: url.port), at: configuration.now())
    let enforces = requirement.policy(orElse: configuration.pinPolicy) == .enforce
    let report = enforces ? nil : configuration.pinReport ?? { _ in }
    switch requirement {
    case .pinned(let set):
      return try check(
        request, .pins(set, report: report), failed: failureReport(url.port, set, enforces))
    case .expired(let set):
      guard enforces else {
        configuration.pinReport?(PinMismatch(host: url.host, chain: [], pinned: set.keys))
        return try check(request, .chain)
      }
      let date = set.expires.map { " on \($0.date)" } ?? ""
      throw TransportError(
        .pinsExpired, "the pins of \(url.host) expired\(date)", host: url.authority)
    case .none:
      guard enforces else {
        configuration.pinReport?(PinMismatch(host: url.host, chain: [], pinned: []))
        return try check(request, .chain)
      }
      throw TransportError(
        .notPinned, "no key is pinned for \(url.host)", host: url.authority)
    }
  }

  private func check(
    _ request: HTTPRequest, _ rule: HandshakeCheck.Rule,
    failed: HandshakeCheck.MismatchReport? = nil
  ) throws(TransportError) -> HandshakeCheck {
    HandshakeCheck(
      host: request.url.host, rule: rule, proxy: try proxyRule(for: request.url.host),
      stopsForIdentity: request.stopsForCertificate,
      deviceCertificate: try DeviceCertificate(request.clientCertificate, host: request.url.host),
      failed: failed)
  }

  /// Passes mismatches to the configuration's ``TransportConfiguration/pinFailure``, with their details.
  private func failureReport(
    _ port: UInt16, _ set: PinSet, _ isEnforced: Bool
  ) -> HandshakeCheck.MismatchReport? {
    guard let notify = configuration.pinFailure else { return nil }
    return { mismatch, certificates in
      notify(
        PinFailure(
          mismatch, port: port, set: set, certificates: certificates,
          isEnforced: isEnforced))
    }
  }

  /// The proxy of the environment in front of a host, with the requirement for its chain.
  ///
  /// - Throws: ``TransportError/Code/pinMismatch`` if the pins of the proxy could not be checked.
  func proxyRule(
    for host: String
  ) throws(TransportError) -> HandshakeCheck.ProxyRule? {
    guard let proxy = try proxy() else { return nil }
    guard proxy.usesTLS, configuration.pins.sets.contains(where: \.pattern.isProxy) else {
      return HandshakeCheck.ProxyRule(
        proxy: proxy, requirement: .none, report: nil, failed: nil)
    }
    guard let place = proxy.host else {
      throw TransportError(
        .pinMismatch,
        "the pins of proxies cannot be checked: the URL of the proxy has no host that "
          + "can be read")
    }
    let requirement = configuration.pins.requirement(
      for: place, port: proxy.port, isProxy: true, at: configuration.now())
    let isReported = requirement.policy(orElse: configuration.pinPolicy) == .report
    let isLikeHost = HandshakeCheck.serverName(of: place) == HandshakeCheck.serverName(of: host)
    if requirement != .none, !isReported, isLikeHost, !proxy.isCertainlyBypassed(for: host) {
      throw TransportError(
        .pinMismatch,
        "the pins of the proxy \(place) cannot be checked: a handshake does not tell it "
          + "from the host", host: place)
    }
    let set = if case .pinned(let set) = requirement { set } else { PinSet?.none }
    return HandshakeCheck.ProxyRule(
      proxy: proxy, requirement: requirement,
      report: isReported ? configuration.pinReport ?? { _ in } : nil,
      failed: set.flatMap { failureReport(proxy.port, $0, !isReported) })
  }
}

extension HTTPURL {
  fileprivate var insecureRefusal: String {
    isLoopback
      ? "http is not allowed, not even to this machine, unless insecureLoopback is set"
      : "http is not allowed to another machine"
  }
}
