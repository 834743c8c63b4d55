import CCurl
import HTTP
import Pinning
import Primitives

extension Transfer {
  /// The error for a code and a message of libcurl.
  func error(for code: CURLcode, of easy: EasyHandle) -> TransportError {
    if let error = pinError { return error }
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
    // libcurl takes a line of 100 KiB in a header for a lack of memory.
    case CURLE_OUT_OF_MEMORY:
      return failure(
        .tooLarge, "a line of the response's header is too long, or there is not enough memory")
    case CURLE_ABORTED_BY_CALLBACK: return .cancelled
    // Our callbacks give their own reason, so the decoder of libcurl refused something.
    case CURLE_WRITE_ERROR where request.decodesContent:
      return failure(.malformed, "the response's body could not be decoded")
    case CURLE_WRITE_ERROR:
      return failure(.responseBodyRefused, "the response could not be delivered")
    case CURLE_READ_ERROR:
      return failure(.requestBodyFailed, "the request's body could not be read")
    case CURLE_SEND_FAIL_REWIND:
      return failure(.requestBodyFailed, "the request's body cannot be sent a second time")
    case CURLE_BAD_CONTENT_ENCODING:
      return failure(.malformed, "the response's body could not be decoded")
    case CURLE_URL_MALFORMAT: return failure(.refused, "libcurl does not accept the URL")
    case _ where tlsCodes.contains(code):
      return TransportError(
        .tls, tlsMessage(code, easy), host: request.url.host, details: consulted)
    // libcurl has this code for a broken connection too.
    case CURLE_RECV_ERROR where easy.message.containsText("chunk"):
      return failure(.malformed, "the response's body is not in valid chunks")
    case _ where brokenCodes.contains(code):
      return failure(.connection, connectionMessage(code, easy))
    case _ where malformedCodes.contains(code):
      return failure(.malformed, "the server's response is not valid HTTP")
    default: return unavailable(code)
    }
  }

  /// The error of a pin check that failed; `nil` if none did.
  var pinError: TransportError? {
    switch check?.refusal {
    case .mismatch(let mismatch, let set):
      let (host, isProxy) = (mismatch.host, set.pattern.isProxy)
      return TransportError(
        .pinMismatch,
        "no key of the certificate chain of \(isProxy ? "the proxy " : "")\(host) is pinned",
        host: isProxy ? host : request.url.authority, details: mismatch.lines)
    // Those of a host are asked for before there is a connection.
    case .expired:
      let host = check?.proxy?.pins?.host
      return TransportError(
        .pinsExpired, "the pins of the proxy \(host ?? "") have expired", host: host)
    case .matched, .notPinned, nil: return nil
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
}

private let tlsCodes = [
  CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CIPHER,
  CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CRL_BADFILE, CURLE_SSL_SHUTDOWN_FAILED,
  CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_USE_SSL_FAILED,
]

private let brokenCodes = [
  CURLE_COULDNT_CONNECT, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR,
  CURLE_PARTIAL_FILE, CURLE_HTTP2_STREAM, CURLE_PROXY, CURLE_NO_CONNECTION_AVAILABLE,
  // Also if the server closes the connection in an orderly way before it takes the request.
  CURLE_HTTP2,
]

private let malformedCodes = [
  CURLE_WEIRD_SERVER_REPLY,
  // A response without a status line.
  CURLE_UNSUPPORTED_PROTOCOL,
  // A first header line that starts with a space, a carriage return in a name, a chunk without size.
  CURLE_BAD_FUNCTION_ARGUMENT,
]
