import CCurl
import HTTP
import OpenSSL
import POSIX
import Primitives

// The causes of errors in words: lower case, without a period.
extension Transfer {
  var identityMessage: String {
    guard request.clientCertificate != nil else {
      return "the server requires a client certificate"
    }
    let cause = check?.alert.flatMap { ClientCertificateRefusal(.alert($0)).cause }
    return "the server refused the client certificate" + (cause.map { ": \($0)" } ?? "")
  }

  /// A server of TLS 1.2 that decides by the path has no other way to ask.
  var renegotiationMessage: String {
    "\(request.url.place) asks for a renegotiation of TLS 1.2, as for a client certificate; that is "
      + "not supported"
  }

  var unresolvedMessage: String {
    let host = request.url.host
    // Another host may stand in for that of the URL.
    let sought = configuration.target(of: host, request.url.port).host
    guard !sought.equalsIgnoringCase(host) else {
      return "the host name \(host) could not be resolved"
    }
    return "the host name \(sought), to connect to in place of \(host), could not be resolved"
  }

  func proxyMessage(
    _ kind: TransportError.Code, _ code: CURLcode, _ easy: EasyHandle
  ) -> String {
    let proxy = check?.proxy?.proxy
    let name = proxy?.name ?? "the proxy"
    if kind == .proxyUnusable {
      return "\(name) cannot be used" + (proxy?.flaw.map { ": \($0)" } ?? "")
    }
    return code == CURLE_COULDNT_RESOLVE_PROXY
      ? "the host name of \(name) could not be resolved"
      : "\(name) could not be reached: \(socketCause(easy))"
  }

  private func socketCause(_ easy: EasyHandle) -> String {
    let code = Int32(truncatingIfNeeded: easy.number(CURLINFO_OS_ERRNO))
    return code == 0 ? "no route" : SystemError("connect", code: code).message
  }

  func timeoutMessage(_ easy: EasyHandle) -> String {
    // A connection that an earlier transfer has made has no such time.
    let isConnected =
      easy.number(CURLINFO_NUM_CONNECTS) == 0 && isSent(easy)
      || easy.count(check == nil ? CURLINFO_CONNECT_TIME_T : CURLINFO_APPCONNECT_TIME_T) > 0
    if isConnected, let idleTimeout {
      return "\(request.url.place) sent and took nothing within \(idleTimeout)"
    }
    let limit = isConnected ? request.timeout : configuration.connectTimeout
    let waited = min(limit ?? .zero, request.timeout ?? .seconds(1_000_000))
    // libcurl counts in milliseconds, so it may end a transfer slightly earlier.
    let isCommands = configuration.deadline.map { ContinuousClock.now > $0 - .milliseconds(20) }
    let time = isCommands == true ? "the time limit of the command" : "\(waited)"
    if isConnected, awaitedDescriptor != nil {
      return "the request's body did not come to its end within \(time)"
    }
    return isConnected
      ? "\(request.url.place) did not respond in full within \(time)"
      : "\(request.url.place) could not be reached within \(time)\(byProxy)"
  }

  /// The proxy on the way, if no host is reached without it.
  private var byProxy: String {
    guard let proxy = check?.proxy?.proxy, proxy.exceptions.isEmpty else { return "" }
    return " by \(proxy.name)"
  }

  func connectionMessage(_ code: CURLcode, _ easy: EasyHandle) -> String {
    let place = request.url.place
    let proxyStatus = easy.number(CURLINFO_HTTP_CONNECTCODE)
    if proxyStatus != 0, proxyStatus / 100 != 2 {
      return "\(check?.proxy?.proxy.name ?? "the proxy") returned \(proxyStatus)"
    }
    switch code {
    case CURLE_COULDNT_CONNECT:
      return "\(place) could not be reached: \(socketCause(easy))"
    case CURLE_GOT_NOTHING: return "\(place) closed the connection without a response"
    case CURLE_PARTIAL_FILE: return "the connection closed before the response was complete"
    case CURLE_SEND_ERROR: return "the connection closed before the request was sent"
    case CURLE_HTTP2_STREAM: return "\(place) ended the stream before the response was complete"
    case CURLE_HTTP2:
      return "\(place) ended the HTTP/2 connection before the response was complete"
    case CURLE_PROXY:
      return "\(check?.proxy?.proxy.name ?? "the proxy") refused the connection"
    case CURLE_SSL_CONNECT_ERROR:
      let isOfProxy = check?.proxy?.proxy.usesTLS == true && proxyStatus == 0
      let name = isOfProxy ? check?.proxy?.proxy.name ?? "the proxy" : place
      return "\(name) closed the connection in the TLS handshake"
    default:
      return hasBegun(easy)
        ? "the connection closed before the response was complete"
        : "the connection to \(place) broke"
    }
  }

  func hasBegun(_ easy: EasyHandle) -> Bool { easy.number(CURLINFO_RESPONSE_CODE) != 0 }

  func tlsMessage(_ code: CURLcode, _ easy: EasyHandle) -> String {
    if let fault = check?.fault { return fault }
    let text = easy.message
    switch code {
    case CURLE_PEER_FAILED_VERIFICATION where check?.leaf != nil: return hostMessage
    case _ where text.containsText("protocol version") || text.containsText("unsupported protocol"):
      return "\(request.url.place) does not speak TLS 1.2 or newer"
    case _
    where text.containsText("wrong version number") || text.containsText("packet length too long"):
      return "\(request.url.place) does not speak TLS"
    default: return "the TLS handshake failed: \(reason(in: text))"
    }
  }

  /// Why a file of authorities cannot be used; libcurl does not say which one, nor why.
  var authorityFileMessage: String {
    let files = [configuration.caFile, configuration.extraCAFile].compactMap { $0 }
    for file in files {
      do throws(TransportError) { _ = try AuthorityFile(file) } catch { return error.message }
    }
    let names = files.isEmpty ? "of the system" : files.joined(separator: " or ")
    return "the CA file \(names) could not be read or contains no certificate"
  }

  /// The authorities that a chain without a trusted issuer was checked against.
  var consulted: [String] {
    guard check?.isUntrusted == true else { return [] }
    let places =
      (configuration.caFile ?? configuration.caDirectory).map { [$0] } ?? CurlLibrary.authorities
    let all = places + [configuration.extraCAFile].compactMap { $0 }
    return all.isEmpty ? [] : ["authorities consulted: \(all.joined(separator: ", "))"]
  }

  /// Why the certificate of a handshake that ended early is not for the host; `nil` if it is.
  ///
  /// libcurl looks at the names when the handshake is complete.
  var hostMismatch: String? {
    guard let leaf = check?.leaf, !leaf.isFor(host: request.url.host) else { return nil }
    return hostMessage
  }

  private var hostMessage: String {
    let host = request.url.host
    guard let certificate = check?.leaf else {
      return "the certificate is not for \(host)"
    }
    let names = (certificate.dnsNames + certificate.ipAddresses).filter { !$0.isEmpty }
    // Only an IP address of the certificate counts for one of a URL (RFC 9525 section 6.5).
    if names.isEmpty || names.contains(host) {
      return "the certificate is not for \(host)" + (names.isEmpty ? "" : " as an IP address")
    }
    let shown = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
    return "the certificate is for \(shown), not \(host)"
  }
}

/// The last part of an OpenSSL error such as `error:0A000410:SSL routines::some reason`.
private func reason(in text: String) -> String {
  let tail = text.split(separator: ":").last.map(String.init) ?? text
  let line = VisibleText.of(tail, .space, limit: 120).trimmingBlanks
  return line.isEmpty ? "the server gave no reason" : line.uncapitalized
}
