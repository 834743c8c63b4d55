import CCurl
import POSIX

/// Puts requests that follow each other on a connection into one packet.
///
/// Over HTTP/2 each request would be a packet of its own, which wakes the server: for a small request
/// that takes longer than the rest. While many transfers share few connections, requests are held
/// until eight have come together, or until libcurl would wait.
// Used on the loop's thread only.
final class PacketGroups {
  private var sockets: Set<Int32> = []
  private var isHolding = false
  /// How many requests may be held.
  private var requests = 0

  /// libcurl is about to do what it can do without waiting, for that many transfers.
  func begin(transfers: Int) {
    guard !sockets.isEmpty, transfers >= Self.sharing * sockets.count else { return }
    isHolding = true
    requests = 0
    hold(true)
  }

  /// A request is about to be sent.
  func noteRequest() {
    guard isHolding else { return }
    if requests == Self.size {
      requests = 0
      hold(false)
      hold(true)
    }
    requests += 1
  }

  /// libcurl has done what it can do.
  func end() {
    guard isHolding else { return }
    isHolding = false
    hold(false)
  }

  /// Makes libcurl tell of the sockets that the handle opens, and the transfer of its request.
  func watch(_ easy: EasyHandle) throws(CurlFailure) {
    let box = Unmanaged.passUnretained(self).toOpaque()
    try easy.set(CURLOPT_SOCKOPTDATA, box: box)
    try easy.set(CURLOPT_CLOSESOCKETDATA, box: box)
    try easy.setSocket(opened: socketOpened, closed: socketClosed)
    easy.packets = self
  }

  func noteOpened(_ socket: Int32) { sockets.insert(socket) }

  func noteClosed(_ socket: Int32) { sockets.remove(socket) }

  private func hold(_ isHeld: Bool) {
    for socket in sockets { PacketHold.set(isHeld, of: socket) }
  }

  /// How many requests come together at most.
  private static let size = 8
  /// How many transfers to a connection make it worth while.
  private static let sharing = 4
}

private func groups(_ box: UnsafeMutableRawPointer) -> PacketGroups {
  Unmanaged<PacketGroups>.fromOpaque(box).takeUnretainedValue()
}

private func socketOpened(
  _ box: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ purpose: curlsocktype
) -> Int32 {
  if let box { groups(box).noteOpened(socket) }
  return Int32(CURL_SOCKOPT_OK)
}

private func socketClosed(_ box: UnsafeMutableRawPointer?, _ socket: curl_socket_t) -> Int32 {
  if let box { groups(box).noteClosed(socket) }
  _ = FileDescriptor(owning: socket)  // which closes it
  return 0
}
