import CCurl
import HTTP
import Primitives

/// Where a transfer connects to.
enum Route: Sendable {
  /// What the configuration and the name servers say.
  case configured
  /// An address, at the port of the URL or the one that takes its place.
  case address(IPAddress, UInt16)
}

extension Transfer {
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
