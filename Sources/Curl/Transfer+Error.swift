import CCurl
import HTTP
import OpenSSL
import POSIX
import Pinning
import Primitives

extension Transfer {
  /// The error for a code and a message of libcurl.
  func error(for code: CURLcode, of easy: EasyHandle) -> TransportError {
    if let check, let mismatch = check.mismatch {
      guard !check.isProxyRefused || !mismatch.chain.isEmpty else {
        return TransportError(
          .pinsExpired, "the pins of the proxy \(mismatch.host) have expired",
          host: mismatch.host)
      }
      let name = check.isProxyRefused ? "the proxy \(mismatch.host)" : mismatch.host
      return TransportError(
        .pinMismatch, "no key of the certificate chain of \(name) is pinned",
        host: check.isProxyRefused ? mismatch.host : request.url.authority,
        details: mismatch.lines)
    }
    if let refusal = certificateRefusal(code, easy) {
      return failure(.clientCertificateRequired, identityMessage(easy), refusal)
    }
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST:
      return failure(.nameNotResolved, "the host name \(request.url.host) could not be resolved")
    case CURLE_COULDNT_RESOLVE_PROXY:
      return failure(.nameNotResolved, "the proxy's host name could not be resolved")
    case CURLE_OPERATION_TIMEDOUT: return failure(.timeout, timeoutMessage(easy))
    case CURLE_SSL_CACERT_BADFILE:
      let file = configuration.caFile.map { "the CA file \($0)" } ?? "the system's CA file"
      return failure(.caFile, "\(file) could not be read or contains no certificate")
    case CURLE_SSL_CLIENTCERT: return failure(.clientCertificateRequired, identityMessage(easy))
    case CURLE_SSL_CERTPROBLEM:
      return failure(
        .clientCertificateRequired, "the client certificate and its key could not be used")
    case CURLE_FILESIZE_EXCEEDED:
      return failure(.tooLarge, "the response is larger than allowed")
    case CURLE_ABORTED_BY_CALLBACK: return .cancelled
    case CURLE_WRITE_ERROR:
      return failure(.responseBodyRefused, "the response could not be delivered")
    case CURLE_READ_ERROR:
      return failure(.requestBodyFailed, "the request's body could not be read")
    case CURLE_SEND_FAIL_REWIND:
      return failure(.requestBodyFailed, "the request's body cannot be sent a second time")
    case CURLE_URL_MALFORMAT: return failure(.refused, "libcurl does not accept the URL")
    case _ where tlsCodes.contains(code):
      return TransportError(
        .tls, tlsMessage(code, easy), host: request.url.host, details: consulted)
    case _ where brokenCodes.contains(code):
      return failure(.connection, connectionMessage(code, easy))
    case _ where malformedCodes.contains(code):
      return failure(.malformed, "the server's response is not valid HTTP")
    default: return unavailable(code)
    }
  }

  func unavailable(_ code: CURLcode) -> TransportError {
    let text = ccurl_easy_strerror(code).map { String(cString: $0) } ?? "unknown reason"
    return failure(.unavailable, "libcurl failed with \(code.rawValue): \(text.uncapitalized)")
  }

  private func failure(
    _ code: TransportError.Code, _ message: String, _ refusal: ClientCertificateRefusal? = nil
  ) -> TransportError {
    TransportError(code, message, host: request.url.host, certificateRefusal: refusal)
  }

  private func certificateRefusal(
    _ code: CURLcode, _ easy: EasyHandle
  ) -> ClientCertificateRefusal? {
    guard let identityRequest = check?.identityRequest, isRefusal(code, easy) else { return nil }
    let kind: ClientCertificateRefusal.Kind =
      identityRequest.endedHandshake
      ? .requested : check?.alert.map { .alert($0) } ?? .closed
    return ClientCertificateRefusal(kind, issuers: identityRequest.issuers)
  }

  /// Whether the server ended the handshake, or the connection before any response.
  ///
  /// TLS 1.3 servers refuse after the client has finished its handshake, and the
  /// alert is often lost when the connection is reset.
  private func isRefusal(_ code: CURLcode, _ easy: EasyHandle) -> Bool {
    code == CURLE_SSL_CONNECT_ERROR
      || ([CURLE_RECV_ERROR, CURLE_SEND_ERROR].contains(code) && !hasBegun(easy))
  }

  private func identityMessage(_ easy: EasyHandle) -> String {
    guard request.clientCertificate != nil else {
      return "the server requires a client certificate"
    }
    let cause = alert(in: easy.message).map { " (\($0))" } ?? ""
    return "the server refused the client certificate\(cause)"
  }

  private func timeoutMessage(_ easy: EasyHandle) -> String {
    let isConnected =
      easy.count(check == nil ? CURLINFO_CONNECT_TIME_T : CURLINFO_APPCONNECT_TIME_T) > 0
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
      : "\(request.url.place) could not be reached within \(time)"
  }

  private func connectionMessage(_ code: CURLcode, _ easy: EasyHandle) -> String {
    let place = request.url.place
    let proxyStatus = easy.number(CURLINFO_HTTP_CONNECTCODE)
    if proxyStatus != 0, proxyStatus / 100 != 2 { return "the proxy returned \(proxyStatus)" }
    switch code {
    case CURLE_COULDNT_CONNECT:
      let code = Int32(truncatingIfNeeded: easy.number(CURLINFO_OS_ERRNO))
      let cause = code == 0 ? "no route" : SystemError("connect", code: code).message
      return "\(place) could not be reached: \(cause)"
    case CURLE_GOT_NOTHING: return "\(place) closed the connection without a response"
    case CURLE_PARTIAL_FILE: return "the connection closed before the response was complete"
    case CURLE_SEND_ERROR: return "the connection closed before the request was sent"
    case CURLE_HTTP2_STREAM: return "\(place) ended the stream before the response was complete"
    case CURLE_PROXY: return "the proxy refused the connection"
    default:
      return hasBegun(easy)
        ? "the connection closed before the response was complete"
        : "the connection to \(place) broke"
    }
  }

  private func hasBegun(_ easy: EasyHandle) -> Bool { easy.number(CURLINFO_RESPONSE_CODE) != 0 }

  private func tlsMessage(_ code: CURLcode, _ easy: EasyHandle) -> String {
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

  /// The authorities that a chain without a trusted issuer was checked against.
  private var consulted: [String] {
    guard check?.isUntrusted == true else { return [] }
    let places =
      (configuration.caFile ?? configuration.caDirectory).map { [$0] } ?? CurlLibrary.authorities
    return places.isEmpty ? [] : ["authorities consulted: \(places.joined(separator: ", "))"]
  }

  private var hostMessage: String {
    let host = request.url.host
    guard let certificate = check?.leaf else {
      return "the certificate is not for \(host)"
    }
    let alternatives = certificate.dnsNames + certificate.ipAddresses
    let names = alternatives.isEmpty ? [certificate.commonName].compactMap { $0 } : alternatives
    guard !names.isEmpty else { return "the certificate names no host, so it is not for \(host)" }
    let shown = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
    return "the certificate is for \(shown), not \(host)"
  }
}

private let tlsCodes = [
  CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CIPHER,
  CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CRL_BADFILE, CURLE_SSL_SHUTDOWN_FAILED,
  CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_USE_SSL_FAILED,
]

private let brokenCodes = [
  CURLE_COULDNT_CONNECT, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR,
  CURLE_PARTIAL_FILE, CURLE_HTTP2_STREAM, CURLE_PROXY, CURLE_NO_CONNECTION_AVAILABLE,
]

private let malformedCodes = [
  CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2, CURLE_BAD_CONTENT_ENCODING,
  // A response without a status line.
  CURLE_UNSUPPORTED_PROTOCOL,
]

/// The last part of an OpenSSL error such as `error:0A000410:SSL routines::some reason`.
private func reason(in text: String) -> String {
  let tail = text.split(separator: ":").last.map(String.init) ?? text
  let line = VisibleText.of(tail, .space, limit: 120).trimmingBlanks
  return line.isEmpty ? "the server gave no reason" : line.uncapitalized
}

/// The alert in an error such as `tlsv1 alert unknown ca`.
private func alert(in text: String) -> String? {
  let words = reason(in: text).prefix { $0 != "," }.split(separator: " ")
  guard let position = words.firstIndex(of: "alert") else { return nil }
  return words[(position + 1)...].joined(separator: " ")
}
