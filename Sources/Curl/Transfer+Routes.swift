import CCurl
import HTTP

extension Transfer {
  /// Sets what replaces the addresses of the name servers, and the host and port of the URL.
  ///
  /// Only for TLS, which checks that the other machine is the URL's host: an unencrypted request
  /// must not leave this machine.
  func configureRoutes(_ easy: EasyHandle) throws(CurlFailure) {
    guard request.url.scheme == .https else { return }
    try easy.set(CURLOPT_RESOLVE, lines: configuration.resolve.map(\.description))
    try easy.set(CURLOPT_CONNECT_TO, lines: configuration.connectTo.map(\.description))
  }
}
