import CCurl
import HTTP
import POSIX
import Primitives

extension Transfer {
  func configure(_ easy: EasyHandle) throws(CurlFailure) {
    try configureShared(easy)
    try easy.set(CURLOPT_URL, request.url.description)
    try configureLimits(easy)
    if let check {
      let box = Unmanaged.passUnretained(check).toOpaque()
      try easy.set(CURLOPT_SSL_CTX_DATA, box: box)
      try easy.set(CURLOPT_SOCKOPTDATA, box: box)
    }
    if let certificate = request.clientCertificate { try show(certificate, by: easy) }
    try easy.set(CURLOPT_HEADERDATA, box: box)
    try easy.set(CURLOPT_WRITEDATA, box: box)
    try easy.set(CURLOPT_PREREQDATA, box: box)
    guard !connectsOnly else { return try configureProbe(easy) }
    try configureVersion(easy)
    if needsNewConnection { try easy.set(CURLOPT_FRESH_CONNECT, true) }
    if request.describesCertificates { try easy.set(CURLOPT_CERTINFO, true) }
    try configureMethod(easy)
    let others = request.fields.filter(\.isLatin1)
    try easy.set(
      CURLOPT_HTTPHEADER, lines: lines,
      bytes: others.map { Array("\($0.name): ".utf8) + $0.valueBytes })
  }

  private func configureVersion(_ easy: EasyHandle) throws(CurlFailure) {
    // A body that fits into the first window of a stream is safe.
    // Without TLS there is no HTTP/2, and libcurl would wait for the first response to know that.
    let isSingle =
      request.url.scheme == .http
      || (hasBody(over: 65_535) && CurlLibrary.has(.awaitsUnreadBody))
    let version = isSingle ? CURL_HTTP_VERSION_1_1 : CURL_HTTP_VERSION_2TLS
    try easy.set(CURLOPT_HTTP_VERSION, Int(version))
  }

  /// Sets the options that depend on the configuration and the scheme only.
  private func configureShared(_ easy: EasyHandle) throws(CurlFailure) {
    let isClear = request.url.scheme == .http
    try easy.set(CURLOPT_PROTOCOLS_STR, isClear ? "http" : "https")
    try easy.set(CURLOPT_REDIR_PROTOCOLS_STR, "https")
    try easy.set(CURLOPT_FOLLOWLOCATION, false)
    try easy.set(CURLOPT_DISALLOW_USERNAME_IN_URL, true)
    try easy.set(CURLOPT_PATH_AS_IS, true)
    try easy.set(CURLOPT_USERAGENT, configuration.userAgent)
    try easy.set(CURLOPT_NETRC, 0)
    // libcurl reads no variable itself. No unencrypted request leaves this machine through a proxy.
    let proxy = check?.proxy?.proxy
    try easy.set(CURLOPT_PROXY, proxy?.text ?? "")
    try easy.set(CURLOPT_NOPROXY, proxy?.exceptions ?? "")
    try easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
    try easy.set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
    try easy.set(CURLOPT_PIPEWAIT, true)
    try easy.set(CURLOPT_NOSIGNAL, true)
    // A name server that does not respond delays only the transfer that asked it (from 7.87).
    try? easy.set(CURLOPT_QUICK_EXIT, true)
    try easy.set(CURLOPT_CONNECTTIMEOUT_MS, configuration.connectTimeout.milliseconds)
    try easy.set(CURLOPT_TCP_KEEPALIVE, true)
    if !connectsOnly { try easy.set(CURLOPT_BUFFERSIZE, 100 << 10) }
    try easy.set(CURLOPT_HEADERFUNCTION, lineArrived)
    try easy.set(CURLOPT_WRITEFUNCTION, bodyArrived)
    try easy.setRequest(connectionChosen)
    if !isClear { try configureTLS(easy) }
    try configureRoutes(easy)
  }

  private func configureLimits(_ easy: EasyHandle) throws(CurlFailure) {
    if let timeout = request.timeout {
      // It may have waited for its gate since the timeout was computed.
      let left = configuration.deadline.map { ContinuousClock.now.duration(to: $0) } ?? timeout
      try easy.set(CURLOPT_TIMEOUT_MS, min(timeout, left).milliseconds)
    }
    guard let idleTimeout else { return }
    try easy.set(CURLOPT_LOW_SPEED_LIMIT, 1)
    try easy.set(CURLOPT_LOW_SPEED_TIME, Int(idleTimeout.components.seconds))
  }

  /// How long the transfer may be idle once there is a connection; `nil` without limit.
  ///
  /// A request with a timeout of its own has none, nor has one whose body may come slowly: libcurl
  /// counts the wait for it.
  var idleTimeout: Duration? {
    if case .stream = request.body { return nil }
    return request.timeout == nil ? configuration.idleTimeout : nil
  }

  private func configureTLS(_ easy: EasyHandle) throws(CurlFailure) {
    for option in [CURLOPT_SSLVERSION, CURLOPT_PROXY_SSLVERSION] {
      try easy.set(option, Int(CURL_SSLVERSION_TLSv1_2))
    }
    try easy.set(CURLOPT_SSL_VERIFYPEER, 1)
    try easy.set(CURLOPT_SSL_VERIFYHOST, 2)
    try easy.set(CURLOPT_PROXY_SSL_VERIFYPEER, 1)
    try easy.set(CURLOPT_PROXY_SSL_VERIFYHOST, 2)
    if let file = configuration.caFile {
      for option in [CURLOPT_CAINFO, CURLOPT_PROXY_CAINFO] { try easy.set(option, file) }
      // Otherwise the system's directory would be used as well.
      for option in [CURLOPT_CAPATH, CURLOPT_PROXY_CAPATH] { try easy.set(option, nil) }
    } else if let directory = configuration.caDirectory {
      for option in [CURLOPT_CAPATH, CURLOPT_PROXY_CAPATH] { try easy.set(option, directory) }
      // Otherwise libcurl would read the bundle of all authorities first.
      for option in [CURLOPT_CAINFO, CURLOPT_PROXY_CAINFO] { try easy.set(option, nil) }
    }
    try easy.set(CURLOPT_SSL_SESSIONID_CACHE, false)
    try easy.setTLSContext(contextMade)
    try easy.setSocket(socketMade)
  }

  /// Sets the client certificate, from memory and not from files.
  private func show(
    _ certificate: ClientCertificate, by easy: EasyHandle
  ) throws(CurlFailure) {
    guard case .pem(let privateKey) = certificate.key else { return }
    try easy.set(CURLOPT_SSLCERTTYPE, "PEM")
    try easy.set(CURLOPT_SSLCERT_BLOB, bytes: certificate.chain)
    try easy.set(CURLOPT_SSLKEYTYPE, "PEM")
    try easy.set(CURLOPT_SSLKEY_BLOB, bytes: privateKey)
  }

  private func configureProbe(_ easy: EasyHandle) throws(CurlFailure) {
    try easy.set(CURLOPT_CONNECT_ONLY, true)
    try easy.set(CURLOPT_FRESH_CONNECT, true)
    try easy.set(CURLOPT_FORBID_REUSE, true)
    // Servers of other protocols refuse the names of HTTP (RFC 7301 section 3.2).
    if check?.isProbe == true { try easy.set(CURLOPT_SSL_ENABLE_ALPN, false) }
  }

  private func configureMethod(_ easy: EasyHandle) throws(CurlFailure) {
    try easy.set(CURLOPT_NOBODY, request.method == .head)
    if request.method == .head { return try easy.set(CURLOPT_CUSTOMREQUEST, nil) }
    switch request.body {
    case .none where sendsBody: try easy.setBody([])
    case .none: try easy.set(CURLOPT_HTTPGET, true)
    case .bytes(let bytes): try easy.setBody(bytes)
    case .stream(_, let length):
      try easy.set(CURLOPT_UPLOAD, true)
      try easy.set(CURLOPT_INFILESIZE_LARGE, offset: length ?? -1)
      try easy.set(CURLOPT_READDATA, box: box)
      try easy.set(CURLOPT_READFUNCTION, bodyWanted)
      try easy.set(CURLOPT_SEEKDATA, box: box)
      try easy.setSeek(rewindWanted)
    }
    try easy.set(CURLOPT_CUSTOMREQUEST, request.method.name)
  }

  /// The header lines, and those that turn off fields of libcurl.
  private var lines: [String] {
    var lines: [String] = []
    for field in request.fields where !field.isLatin1 {
      lines.append(field.value.isEmpty ? "\(field.name);" : field.description)
    }
    for name in request.omittedFields { lines.append("\(name):") }
    // libcurl decodes nothing itself: it does not notice a body that ends too early.
    if request.decodesContent, !request.hasOwn("Accept-Encoding") {
      lines.append("Accept-Encoding: \(ContentDecoder.accepted)")
    }
    if !request.fields.contains("Content-Type") { lines.append("Content-Type:") }
    // For a large body, ask the server first.
    if !hasBody(over: 1 << 20), !request.hasOwn("Expect") { lines.append("Expect:") }
    return lines
  }

  /// Whether the request has a body: that of a method which expects one may be empty.
  private var sendsBody: Bool {
    guard case .none = request.body else { return true }
    return request.method.expectsBody
  }

  /// Whether the body is, or may be, longer than this number of bytes.
  private func hasBody(over size: Int) -> Bool {
    switch request.body {
    case .none: false
    case .bytes(let bytes): bytes.count > size
    case .stream(_, let length): length.map { $0 > size } ?? true
    }
  }

  /// The transfer as a pointer for the callbacks; the loop keeps it alive.
  private var box: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// Sets what replaces the addresses of the name servers, and the host and port of the URL.
  ///
  /// Only for TLS, which checks that the other machine is the URL's host: an unencrypted request
  /// must not leave this machine.
  func configureRoutes(_ easy: EasyHandle) throws(CurlFailure) {
    guard request.url.scheme == .https else { return }
    switch route {
    case .configured:
      try easy.set(CURLOPT_RESOLVE, lines: configuration.resolve.map(\.description))
      try easy.set(CURLOPT_CONNECT_TO, lines: configuration.connectTo.map(\.description))
    case .address(let address, let port):
      // Without host and port before it, it is for every one.
      let text = "::\(HostName.bracketed(address.description)):\(port)"
      try easy.set(CURLOPT_CONNECT_TO, lines: [text])
    }
  }
}

extension HTTPRequest {
  /// Whether the request says itself what it has of that field.
  fileprivate func hasOwn(_ name: String) -> Bool {
    fields.contains(name) || omittedFields.contains { $0.equalsIgnoringCase(name) }
  }
}

extension Duration {
  /// Whole milliseconds, at least one, as 0 means "for ever" to libcurl.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds < 1_000_000_000 else { return 1_000_000_000_000 }
    return max(1, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
  }
}

private func transfer(_ box: UnsafeMutableRawPointer) -> Transfer {
  Unmanaged<Transfer>.fromOpaque(box).takeUnretainedValue()
}

private func lineArrived(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ box: UnsafeMutableRawPointer?
) -> Int {
  guard let box else { return 0 }
  let lines = UnsafeRawBufferPointer(start: bytes, count: size * count)
  return transfer(box).receiveLines(lines) ? lines.count : -1
}

private func bodyArrived(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ box: UnsafeMutableRawPointer?
) -> Int {
  guard let box else { return 0 }
  let body = UnsafeRawBufferPointer(start: bytes, count: size * count)
  // Any number other than the byte count ends the transfer, even without bytes.
  return transfer(box).receiveBody(body) ? body.count : -1
}

private func connectionChosen(
  _ box: UnsafeMutableRawPointer?, _ remote: UnsafeMutablePointer<CChar>?,
  _ local: UnsafeMutablePointer<CChar>?, _ remotePort: Int32, _ localPort: Int32
) -> Int32 {
  guard let box else { return Int32(CURL_PREREQFUNC_ABORT) }
  return Int32(transfer(box).mayUseConnection() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT)
}

private func bodyWanted(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ box: UnsafeMutableRawPointer?
) -> Int {
  guard let box else { return Int(CURL_READFUNC_ABORT) }
  let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
  return transfer(box).sendBody(into: buffer)
}

private func rewindWanted(
  _ box: UnsafeMutableRawPointer?, _: curl_off_t, _: Int32
) -> Int32 {
  // Always to the start: no transfer begins in the middle of its body.
  guard let box else { return CURL_SEEKFUNC_CANTSEEK }
  return transfer(box).rewindBody() ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_CANTSEEK
}

/// Notes a socket in the check of its transfer.
func socketMade(
  _ box: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ purpose: curlsocktype
) -> Int32 {
  guard let box else { return Int32(CURL_SOCKOPT_ERROR) }
  Unmanaged<HandshakeCheck>.fromOpaque(box).takeUnretainedValue().sockets.append(socket)
  return Int32(CURL_SOCKOPT_OK)
}

private func contextMade(
  _ easy: UnsafeMutableRawPointer?, _ context: UnsafeMutableRawPointer?,
  _ box: UnsafeMutableRawPointer?
) -> CURLcode {
  guard let context, let box else { return CURLE_SSL_CONNECT_ERROR }
  let check = Unmanaged<HandshakeCheck>.fromOpaque(box).takeUnretainedValue()
  guard check.install(in: context) else { return CURLE_SSL_CONNECT_ERROR }
  guard let file = check.extraCAFile else { return CURLE_OK }
  // The chain of the validated path, which pins are compared with, is made of these too.
  return ccurl_add_authorities(context, file) == 1 ? CURLE_OK : CURLE_SSL_CACERT_BADFILE
}

/// Where a transfer connects to.
enum Route: Sendable {
  /// What the configuration and the name servers say.
  case configured
  /// An address, at the port of the URL or the one that takes its place.
  case address(IPAddress, UInt16)
}
