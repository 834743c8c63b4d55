import CCurl
import HTTP
import POSIX
import Primitives

/// Where a transfer connects to.
enum Route: Sendable {
  /// What the configuration and the name servers say.
  case configured
  /// An address, at the port of the URL or the one that takes its place.
  case address(IPAddress, UInt16)
  /// A connection that exists, on which TLS begins now.
  case connection(ConnectedSocket)
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
    case .address(let address, let port): try connect(easy, to: address, port)
    case .connection(let socket):
      // The address keeps libcurl from asking the name servers; it connects to nothing.
      try connect(easy, to: socket.address, request.url.port)
      try easy.set(CURLOPT_OPENSOCKETDATA, box: Unmanaged.passUnretained(socket).toOpaque())
      try easy.setOpen(socketGiven)
      try easy.setSocket(connectionMade)
    }
  }

  private func connect(
    _ easy: EasyHandle, to address: IPAddress, _ port: UInt16
  ) throws(CurlFailure) {
    // Without host and port before it, it is for every one.
    let text = "::\(HostName.bracketed(address.description)):\(port)"
    try easy.set(CURLOPT_CONNECT_TO, lines: [text])
  }
}

private func socketGiven(
  _ box: UnsafeMutableRawPointer?, _: curlsocktype, _: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
  guard let box else { return CURL_SOCKET_BAD }
  let socket = Unmanaged<ConnectedSocket>.fromOpaque(box).takeUnretainedValue()
  return (try? socket.duplicate()) ?? CURL_SOCKET_BAD
}

private func connectionMade(
  _ box: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ purpose: curlsocktype
) -> Int32 {
  let result = socketMade(box, socket, purpose)
  return result == Int32(CURL_SOCKOPT_OK) ? Int32(CURL_SOCKOPT_ALREADY_CONNECTED) : result
}
