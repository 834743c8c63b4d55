import CCurl
import HTTP
import Pinning
import Primitives

extension Transfer {
  func error(for code: CURLcode, of easy: EasyHandle) -> TransportError {
    if let error = pinError { return error }
    if let refusal = certificateRefusal(code, easy) {
      return TransportError(
        .clientCertificateRequired, identityMessage, host: request.url.host,
        certificateRefusal: refusal)
    }
    if connectionCheck?.hasRefusedRenegotiation == true, !hasBegun(easy) {
      return TransportError(
        .clientCertificateRequired, renegotiationMessage, host: request.url.host)
    }
    let kind = kind(of: code, easy)
    return TransportError(
      kind, message(of: kind, code, easy), host: request.url.host,
      details: kind == .tls ? consulted : [])
  }

  private func kind(of code: CURLcode, _ easy: EasyHandle) -> TransportError.Code {
    switch code {
    // Our callbacks give their own reason, so the decoder of libcurl refused something.
    case CURLE_WRITE_ERROR where request.decodesContent: .malformed
    // libcurl has this code for a broken connection too.
    case CURLE_RECV_ERROR where easy.message.containsText("chunk"): .malformed
    case CURLE_OUT_OF_MEMORY
    where CurlLibrary.has(.takesALongLineForNoMemory) && isSent(easy): .tooLarge
    case .tooLarge where !isSent(easy): .refused
    case CURLE_SSL_CONNECT_ERROR where wasCut(easy): .connection
    case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_PROXY: proxyKind(code, easy)
    default: TransportError.Code(code) ?? .unavailable
    }
  }

  /// What a connection that was not made means, to the host or to a proxy.
  private func proxyKind(_ code: CURLcode, _ easy: EasyHandle) -> TransportError.Code {
    guard let check, let proxy = check.proxy?.proxy else { return .connection }
    // libcurl connects to no proxy that it cannot use, and decides which hosts need none.
    if proxy.flaw != nil, check.sockets.isEmpty { return .proxyUnusable }
    let isTried = code == CURLE_COULDNT_RESOLVE_PROXY || proxy.isTried(in: easy.message)
    return isTried ? .proxy : .connection
  }

  /// Whether a part of the request was sent, so that what is too large is the response.
  func isSent(_ easy: EasyHandle) -> Bool { easy.number(CURLINFO_REQUEST_SIZE) > 0 }

  private func message(
    of kind: TransportError.Code, _ code: CURLcode, _ easy: EasyHandle
  ) -> String {
    switch kind {
    case .nameNotResolved: unresolvedMessage
    case .timeout: timeoutMessage(easy)
    case .proxy, .proxyUnusable: proxyMessage(kind, code, easy)
    case .caFile: authorityFileMessage
    case .clientCertificateRequired:
      code == CURLE_SSL_CERTPROBLEM
        ? "the client certificate and its key could not be used" : identityMessage
    case .tooLarge:
      code == CURLE_FILESIZE_EXCEEDED
        ? "the response is larger than allowed" : "a line of the response's header is too long"
    case .responseBodyRefused: "the response could not be delivered"
    case .requestBodyFailed:
      code == CURLE_READ_ERROR
        ? "the request's body could not be read"
        : "the request's body cannot be sent a second time"
    case .refused:
      "libcurl does not accept the \(code == .tooLarge ? "length of the request's header" : "URL")"
    case .tls: tlsMessage(code, easy)
    case .connection: connectionMessage(code, easy)
    case .malformed:
      switch code {
      case CURLE_WRITE_ERROR, CURLE_BAD_CONTENT_ENCODING:
        "the response's body could not be decoded"
      case CURLE_RECV_ERROR: "the response's body is not in valid chunks"
      default: "the server's response is not valid HTTP"
      }
    default: failureText(code)
    }
  }

  /// The error of a pin check that failed; `nil` if none did.
  var pinError: TransportError? {
    switch check?.refusal {
    case .mismatch(let mismatch, let set):
      let isProxy = set.pattern.isProxy
      let host = isProxy ? mismatch.host : request.url.authority
      return TransportError(
        .pinMismatch,
        "no key of the certificate chain of \(isProxy ? "the proxy " : "")\(host) is pinned",
        host: host,
        details: PinMismatch(host: host, chain: mismatch.chain, pinned: mismatch.pinned).lines)
    // Those of a host are asked for before there is a connection.
    case .expired:
      let host = check?.proxy?.pins?.host
      return TransportError(
        .pinsExpired, "the pins of the proxy \(host ?? "") have expired", host: host)
    case .matched, .notPinned, nil: return nil
    }
  }

  func unavailable(_ code: CURLcode) -> TransportError {
    TransportError(.unavailable, failureText(code), host: request.url.host)
  }

  private func failureText(_ code: CURLcode) -> String {
    let text = ccurl_easy_strerror(code).map { String(cString: $0) } ?? "unknown reason"
    return "libcurl failed with \(code.rawValue): \(text.uncapitalized)"
  }

  private func certificateRefusal(
    _ code: CURLcode, _ easy: EasyHandle
  ) -> ClientCertificateRefusal? {
    guard let identityRequest, isRefusal(code, easy) else { return nil }
    let kind: ClientCertificateRefusal.Kind =
      identityRequest.endedHandshake
      ? .requested : check?.alert.map { .alert($0) } ?? .closed
    return ClientCertificateRefusal(
      kind, issuers: identityRequest.issuers, hasSent: kind != .requested || hasReadBody)
  }

  /// The request for a client certificate that may have ended the transfer.
  ///
  /// On a connection that another transfer has made, it is one after the handshake (TLS 1.3).
  private var identityRequest: IdentityRequest? {
    if let request = check?.identityRequest { return request }
    let request = connectionCheck?.identityRequest
    return request?.endedHandshake == true ? request : nil
  }

  /// Whether the server ended the handshake, or the connection before any response.
  ///
  /// TLS 1.3 servers refuse after the client has finished its handshake, and the
  /// alert is often lost when the connection is reset.
  private func isRefusal(_ code: CURLcode, _ easy: EasyHandle) -> Bool {
    code == CURLE_SSL_CONNECT_ERROR
      // What libcurl makes of the server's alert that the certificate has expired.
      || code == CURLE_PEER_FAILED_VERIFICATION && check?.alert == Self.certificateExpired
      || ([CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING].contains(code)
        && !hasBegun(easy))
  }

  /// The alert `certificate_expired` (RFC 8446 section 6).
  private static let certificateExpired: UInt8 = 45

  /// Whether the connection ended in the handshake, without a reason of TLS: the socket failed, or
  /// OpenSSL has no error, or that of an end which no alert announced.
  private func wasCut(_ easy: EasyHandle) -> Bool {
    let texts = [
      "Recv failure: ", "Send failure: ", "SSL_connect: ", "unexpected eof while reading",
    ]
    return texts.contains { easy.message.containsText($0) }
  }
}

extension TransportError {
  static let cancelled = TransportError(.cancelled, "the transfer was cancelled")
  static let broken = TransportError(.unavailable, "libcurl failed")
}
