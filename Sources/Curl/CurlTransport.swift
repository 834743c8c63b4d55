package import HTTP
import OpenSSL
package import POSIX
import Pinning
package import Primitives
import Synchronization

/// HTTP over TLS by libcurl, behind certificate pins.
///
/// On every new connection, chain, host name and pins are checked before a byte of a request is sent. The
/// transport follows no redirect, keeps no cookie, adds no credential, resumes no TLS session, and has
/// no setting to skip a check. The first request loads libcurl and starts a thread.
package final class CurlTransport: Transport {
  let configuration: TransportConfiguration
  let loops = TransferLoops()
  /// The proxy of the environment, once it was asked for.
  private let foundProxy = Mutex<Proxy??>(nil)

  /// Makes a transport; nothing is loaded before the first request.
  package init(_ configuration: TransportConfiguration) {
    self.configuration = configuration
  }

  /// The proxy of the environment, which is read once; loads libcurl.
  func proxy() throws(TransportError) -> Proxy? {
    try foundProxy.withLock { (found) throws(TransportError) in
      if let found { return found }
      try CurlLibrary.load()
      let proxy = Proxy(configuration.environment(), source: configuration.proxySource)
      found = .some(proxy)
      return proxy
    }
  }

  deinit { loops.stop() }

  package func send(
    _ request: HTTPRequest, receiving body: HTTPBodyReceiver
  ) async throws(TransportError) -> HTTPResponse {
    try request.refuseReservedFields()
    let check = try check(for: request)
    let transfer = Transfer(
      try bounded(request), receiver: body, check: check, configuration: configuration,
      connectsOnly: false)
    return try await outcome(of: transfer).get()
  }

  /// Makes a handshake and returns the server's chain; sends no request, checks no pin.
  ///
  /// If the chain or the host name is refused, the served chain is returned with
  /// the reason; if the handshake showed no certificate, an error is thrown.
  package func probe(
    host: String, port: UInt16 = 443, address: IPAddress? = nil
  ) async throws(TransportError) -> ServedChain {
    let url = try url(host: host, port: port)
    let route: Route =
      if let address { .address(address, configuration.target(of: url.host, url.port).port) } else {
        .configured
      }
    let request = try bounded(HTTPRequest(.get, url, timeout: configuration.connectTimeout))
    let check = HandshakeCheck(
      host: url.host, rule: .probe, proxy: try proxyRule(for: url.host),
      extraCAFile: configuration.extraCAFile)
    let transfer = Transfer(
      request, receiver: .collect(limit: 0), check: check, configuration: configuration,
      connectsOnly: true, route: route)
    let outcome = try await outcome(of: transfer)
    switch outcome {
    case .success(let response):
      guard var chain = check.chain(verificationError: nil) else {
        throw TransportError(.tls, "the server showed no certificate", host: url.host)
      }
      chain.metrics = response.metrics
      return chain
    case .failure(let error):
      // A server of TLS 1.2 shows its chain, and then refuses a client without a certificate.
      let isDemand = error.code == .clientCertificateRequired
      let cause = isDemand ? transfer.hostMismatch : error.message
      guard error.code == .tls || isDemand, var chain = check.chain(verificationError: cause) else {
        throw error
      }
      chain.metrics = error.metrics
      return chain
    }
  }

  /// Makes a handshake with all checks of a request, pins included; sends no request.
  ///
  /// A server that requires a client certificate passes: it has shown its own chain before. For a URL
  /// without TLS, only the policy is checked.
  ///
  /// - Returns: the connection and the times; `nil` without TLS.
  @discardableResult
  package func verify(_ url: HTTPURL) async throws(TransportError) -> TransferMetrics? {
    let request = try bounded(HTTPRequest(.get, url, timeout: configuration.connectTimeout))
    guard let check = try check(for: request) else { return nil }
    let transfer = Transfer(
      request, receiver: .collect(limit: 0), check: check, configuration: configuration,
      connectsOnly: true)
    switch try await outcome(of: transfer) {
    case .success(let response): return response.metrics
    case .failure(let error):
      guard error.code == .clientCertificateRequired else { throw error }
      if let mismatch = transfer.hostMismatch {
        throw TransportError(.tls, mismatch, host: url.host)
      }
      return error.metrics
    }
  }

  package static func libraryVersion() throws(TransportError) -> String {
    try CurlLibrary.version()
  }

  /// The authorities that libcurl uses if no others are named: a file, a directory, or both.
  package static func defaultAuthorities() throws(TransportError) -> [String] {
    try CurlLibrary.load()
    return CurlLibrary.authorities
  }

  /// The proxy that variables name for https URLs; `nil` if they name none.
  package static func proxy(
    of environment: Environment, source: String? = nil
  ) throws(TransportError) -> Proxy? {
    try CurlLibrary.load()
    return Proxy(environment, source: source)
  }

  /// The request with a timeout that ends at the deadline at the latest.
  private func bounded(_ request: HTTPRequest) throws(TransportError) -> HTTPRequest {
    guard let deadline = configuration.deadline else { return request }
    let left = ContinuousClock.now.duration(to: deadline)
    guard left > .zero else {
      throw TransportError(
        .timeout, "\(request.url.place) was not asked: the time limit of the command had passed",
        host: request.url.host)
    }
    var request = request
    request.timeout = min(request.timeout ?? left, left)
    return request
  }

  private func outcome(
    of transfer: Transfer
  ) async throws(TransportError) -> Result<HTTPResponse, TransportError> {
    let chain = transfer.request.clientCertificate?.chain
    let loop = try loops.take(chain)
    defer { loops.giveBack(chain) }
    let gate = transfer.request.gate
    await gate?.waitUntilOpen()
    defer { gate?.observe(nil) }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        transfer.continuation = continuation
        loop.add(transfer)
        gate?.observe { loop.pause(transfer, $0) }
      }
    } onCancel: {
      loop.cancel(transfer)
    }
  }

  private func url(host: String, port: UInt16) throws(TransportError) -> HTTPURL {
    // A slash or question mark in the host would move the port into the path: compare.
    guard let url = try? HTTPURL("https://\(HostName.bracketed(host)):\(port)/"),
      url.host == host.asciiLowercased || url.host == HostName.normalized(host)
    else { throw TransportError(.refused, "the host is not a DNS name or an IP address") }
    return url
  }
}

extension HTTPRequest {
  /// Refuses fields that only the transport sets: they frame the message (RFC 9112).
  fileprivate func refuseReservedFields() throws(TransportError) {
    let reserved = ["Host", "Content-Length", "Transfer-Encoding", "Connection", "Upgrade"]
    for name in reserved where fields.contains(name) {
      throw TransportError(.refused, "the field '\(name)' is the transport's own", host: url.host)
    }
  }
}

// The TLS checks that a request requires.
extension CurlTransport {
  /// The checks of a connection for that request; `nil` without TLS.
  func check(for request: HTTPRequest) throws(TransportError) -> HandshakeCheck? {
    if let refusal = refusal(of: request.url) { throw refusal }
    guard request.url.scheme == .https else { return nil }
    let pins = PinRule(request.url.host, request.url.port, in: configuration)
    return HandshakeCheck(
      host: request.url.host, rule: .pins(pins), proxy: try proxyRule(for: request.url.host),
      stopsForIdentity: request.stopsForCertificate,
      clientChain: request.clientCertificate?.chain,
      securityTokenCertificate: try SecurityTokenCertificate(
        request.clientCertificate, host: request.url.host),
      extraCAFile: configuration.extraCAFile)
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
