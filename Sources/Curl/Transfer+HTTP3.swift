import CCurl
import HTTP

// A request that may be sent over HTTP/3.
extension Transfer {
  /// Why nothing may be sent on the connection that libcurl has chosen; `nil` if the request may.
  ///
  /// libcurl connects by QUIC and by TCP at the same time. A server whose keys do not match on one
  /// of them gets no request on the other. And a connection that our check has not seen, because
  /// libcurl did not install it, gets none.
  func refusal(of easy: EasyHandle) -> TransportError? {
    guard verifiedConnections != nil, let check else { return nil }
    if let error = pinError { return error }
    let isVerified =
      switch ccurl_verification(easy.raw) {
      case CCURL_VERIFIED: true
      case CCURL_NO_CONTEXT: isVerifiedQUIC(check, easy.count(ofNewer: CCURL_CONNECTION_NUMBER))
      default: false
      }
    if isVerified { return nil }
    return TransportError(
      .tls, "libcurl did not let the certificates of the connection be checked",
      host: request.url.host)
  }

  /// The code of a handshake that failed over QUIC: libcurl says that it could not connect.
  func handshakeCode(_ code: CURLcode) -> CURLcode {
    guard verifiedConnections != nil, let check,
      [CURLE_COULDNT_CONNECT, CURLE_QUIC_CONNECT_ERROR].contains(code)
    else { return code }
    if check.fault != nil || check.identityRequest?.endedHandshake == true {
      return CURLE_SSL_CONNECT_ERROR
    }
    // What libcurl itself checks after our check is the name of the host.
    return check.hasAccepted ? CURLE_PEER_FAILED_VERIFICATION : code
  }

  private func isVerifiedQUIC(_ check: HandshakeCheck, _ number: Int64?) -> Bool {
    guard let number, let connections = verifiedConnections else { return false }
    if connections.contains(number) { return true }
    guard check.hasAcceptedQUIC else { return false }
    connections.insert(number)
    return true
  }
}
