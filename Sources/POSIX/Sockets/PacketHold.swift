import Glibc

/// Whether what is written to a TCP socket waits until it fills a packet (`TCP_CORK` of tcp(7)).
///
/// The system waits for 200 milliseconds at most.
package enum PacketHold {
  /// Begins to hold, or sends what was held; without effect on what is not a TCP socket.
  package static func set(_ isHeld: Bool, of socket: Int32) {
    var value: Int32 = isHeld ? 1 : 0
    setsockopt(
      socket, Int32(IPPROTO_TCP), TCP_CORK, &value, socklen_t(MemoryLayout.size(ofValue: value)))
  }

  /// Whether it holds.
  package static func isSet(of socket: Int32) -> Bool {
    var value: Int32 = 0
    var size = socklen_t(MemoryLayout.size(ofValue: value))
    return getsockopt(socket, Int32(IPPROTO_TCP), TCP_CORK, &value, &size) == 0 && value != 0
  }
}
