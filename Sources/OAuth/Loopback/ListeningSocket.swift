import POSIX

/// One listening socket.
final class ListeningSocket: Sendable {
  let socket: LoopbackSocket

  private init(_ family: LoopbackSocket.Family, port: UInt16) throws(SystemError) {
    socket = try LoopbackSocket.listen(family, port: port)
  }

  /// 127.0.0.1 and, where there is such an address, ::1 on the same port.
  static func open(_ port: UInt16) throws(SystemError) -> [ListeningSocket] {
    for _ in 0..<20 {
      if let sockets = try pair(port, orElseAnother: port == 0) { return sockets }
    }
    return try pair(port, orElseAnother: false) ?? []
  }

  /// Nil when a port that was free for IPv4 is taken for IPv6, and another one will do.
  private static func pair(
    _ port: UInt16, orElseAnother: Bool
  ) throws(SystemError) -> [ListeningSocket]? {
    let first = try ListeningSocket(.v4, port: port)
    do throws(SystemError) {
      return [first, try ListeningSocket(.v6, port: first.socket.port)]
    } catch {
      if error.isAddressMissing { return [first] }
      if error.isAddressInUse, orElseAnother { return nil }
      throw error
    }
  }
}
